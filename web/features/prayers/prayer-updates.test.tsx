import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { anna, FakeServer, openSynced } from '#web/data/fake-server.test-data.ts'
import type { UpdateDraft } from '#web/data/update-form.ts'
import { saveDraft } from '#web/lib/storage/drafts.ts'
import { enter, press, renderWithData } from '#web/test-rendering.tsx'
import { PrayerUpdates } from './prayer-updates.tsx'

const NEW = 'What is new?'

let server: FakeServer

beforeEach(() => {
  server = new FakeServer()
  server.put('prayers', anna)
})

async function show(draft?: UpdateDraft) {
  const { data, sync } = await openSynced(server)
  renderWithData(<PrayerUpdates prayer={anna} draft={draft} />, data)
  return { bodies: () => sync.rows('prayer_updates').map(({ body }) => body) }
}

it('forgets a draft that was restored and saved: the next update is another one', async () => {
  const draft = { id: 'first', prayer_id: 'anna', update_id: null, body: 'She is home' }
  saveDraft(['new-update', 'anna', 'first'], draft)
  const { bodies } = await show(draft)
  expect(screen.getByLabelText(NEW)).toHaveProperty('value', 'She is home')
  await press('Add')
  await press('Add an update')
  expect(screen.getByLabelText(NEW)).toHaveProperty('value', '')
  enter(NEW, 'She is well')
  await press('Add')
  expect(bodies().toSorted()).toEqual(['She is home', 'She is well'])
})
