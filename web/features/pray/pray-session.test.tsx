import { act, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { useCategories } from '#web/data/categories.ts'
import { anna, FakeServer, family, openSynced } from '#web/data/user-data.test-data.ts'
import { usePrayers } from '#web/data/prayers.ts'
import { enter, press, renderWithData } from '#web/test-rendering.tsx'
import { createPrayItems } from './pray-items.ts'
import { PraySession } from './pray-session.tsx'
import { startPrayerSession } from './session-progress.ts'

const items = createPrayItems('me', localStorage)
const session = startPrayerSession(['anna'], '2026-11-22')

function Screen() {
  return (
    <PraySession
      items={items}
      session={session}
      shown={['anna']}
      prayer={usePrayers().rows?.[0] ?? null}
      categories={useCategories().rows ?? []}
      error={null}
      onLeave={() => {}}
    />
  )
}

it('when another device deletes the prayer that is shown, an update that is being typed stays', async () => {
  const server = new FakeServer()
  server.put('categories', { ...family, is_visible: false })
  server.put('prayers', anna)
  const { data, sync } = await openSynced(server)
  renderWithData(<Screen />, data)
  await act(async () => {})
  expect(screen.getByRole('article').textContent).toContain('Family')
  await press('Add an update')
  const typed = await screen.findByLabelText<HTMLTextAreaElement>('What is new?')
  enter('What is new?', 'She can walk again')
  server.remove('prayers', 'anna')
  await act(async () => void (await sync.syncNow()))
  expect(document.body.textContent).toContain('This prayer was deleted.')
  expectConsoleError('Failed to add update')
  await press('Add', screen.getByRole('dialog'))
  expect(screen.getByRole('alert').textContent).toBe('Prayer not found')
  expect(typed.value).toBe('She can walk again')
})
