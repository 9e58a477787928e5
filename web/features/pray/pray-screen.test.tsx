import { act, screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { anna, FakeServer, family, openSynced } from '#web/data/fake-server.test-data.ts'
import { sessionWith, storeSession } from '#web/lib/session/sample-session.test-data.ts'
import { enter, press, renderWithData } from '#web/test-rendering.tsx'
import { PrayScreen } from './pray-screen.tsx'

let server: FakeServer

beforeEach(() => {
  storeSession(sessionWith('token', 3600))
  server = new FakeServer()
  server.put('categories', family)
  server.put('prayers', anna)
})

it('when another device hides the category of the prayer that is shown, or deletes the prayer, no text is lost', async () => {
  const { data, sync } = await openSynced(server)
  renderWithData(<PrayScreen />, data)
  await press('Begin')
  const follow = () => act(async () => void (await sync.syncNow()))
  server.put('categories', { ...family, is_visible: false })
  await follow()
  expect(screen.getByRole('article').textContent).toContain('Family')

  await press('Add an update')
  enter(/./, 'She can walk again')
  server.remove('prayers', 'anna')
  await follow()
  expect(document.body.textContent).toContain('This prayer was deleted.')
  const text = () => screen.getByRole('dialog').querySelector('textarea')?.value
  expect(text()).toBe('She can walk again')
  expectConsoleError('Failed to add update')
  await press('Add', screen.getByRole('dialog'))
  expect(screen.getByRole('alert').textContent).toBe('Prayer not found')
  expect(text()).toBe('She can walk again')
  await press('Cancel')
  await press('Next')
  expect(screen.getByText('Nothing prayed this time.')).toBeDefined()
})
