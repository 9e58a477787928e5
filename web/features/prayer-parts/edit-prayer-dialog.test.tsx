import { act } from '@testing-library/react'
import { expect, it } from 'vitest'
import { anna, FakeServer, family, openSynced } from '#web/data/user-data.test-data.ts'
import { enter, press, renderWithData } from '#web/test-rendering.tsx'
import { CorrectPrayerDialog } from './edit-prayer-dialog.tsx'

it.each([
  ['that could not be saved', 'An operation', 'An operation on Monday', ['An operation on Monday']],
  ['that was not changed', 'An operation', 'An operation', []],
])('a correction keeps the note of another device besides one %s', async (_what, seen, typed, kept) => {
  const server = new FakeServer()
  server.put('categories', family)
  server.put('prayers', { ...anna, note: 'Home again' })
  const { data, sync } = await openSynced(server)
  const shown = { ...anna, note: seen }
  const form = { kind: 'prayer' as const, id: anna.id, row: shown, fields: { ...shown, note: typed } }
  const close = () => undefined
  renderWithData(<CorrectPrayerDialog changeId="1" form={form} onSaved={close} onClose={close} />, data)
  enter('Name', 'Anna Maria')
  await press('Update Prayer')
  await act(() => sync.syncNow())
  await act(() => sync.syncNow())
  expect(sync.rows('prayers')).toMatchObject([{ person_name: 'Anna Maria', note: 'Home again' }])
  expect(sync.rows('prayer_updates').map(({ body }) => body.split('\n\n').at(-1))).toEqual(kept)
})
