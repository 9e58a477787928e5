import { beforeEach, describe, expect, it } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { categoryActions } from './category-actions.ts'
import { CATEGORY_HAS_PRAYERS } from './categories.ts'
import type { ActionResult } from './make-change.ts'
import { anna, FakeServer, family, openSynced, updateOnAnna } from './user-data.test-data.ts'
import { prayerUpdateActions } from './prayer-update-actions.ts'
import { prayerActions } from './prayer-actions.ts'
import type { UserData } from './rows.ts'

type Case = [error: string, what: string, change: (data: UserData) => Promise<ActionResult>]

const incomplete = { category_id: '', person_name: '', note: null }
const unknown = { ...anna, id: 'unknown' }

let server: FakeServer

beforeEach(() => {
  server = new FakeServer()
  server.put('categories', family)
  server.put('prayers', anna)
  server.put('prayer_updates', updateOnAnna)
})

describe('a change is rejected before it is sent', () => {
  it.each<Case>([
    ['Category not found', 'an unknown category', (data) => categoryActions(data).change('x', {})],
    ['Prayer not found', 'an unknown prayer', (data) => prayerActions(data).change(unknown, {})],
    [
      'Update not found',
      'an unknown update',
      (data) => prayerUpdateActions(data).changeUpdate({ ...updateOnAnna, id: 'unknown' }, 'x'),
    ],
    [
      'Missing required fields: category_id, person_name',
      'a prayer without both',
      (data) => prayerActions(data).add('cora', incomplete),
    ],
    [
      'Missing required fields: person_name',
      'a prayer without a name',
      (data) => prayerActions(data).add('cora', { ...incomplete, category_id: 'family' }),
    ],
    [
      'Please enter an update',
      'an update without text',
      (data) => prayerUpdateActions(data).addUpdate({ prayer_id: 'anna', body: ' \n' }),
    ],
    [
      'Prayer not found',
      'an update of an unknown prayer',
      (data) => prayerUpdateActions(data).addUpdate({ prayer_id: 'unknown', body: 'She is home' }),
    ],
    [CATEGORY_HAS_PRAYERS, 'deleting it', (data) => categoryActions(data).remove('family')],
  ])('with “%s”: %s', async (error, _what, change) => {
    expectConsoleError(error)
    const { data, sync } = await openSynced(server)
    expect(await change(data)).toEqual({ success: false, error })
    await sync.syncNow()
    expect(server.changes).toEqual([])
    expect(sync.rows('categories')).toHaveLength(1)
  })
})

it('nothing can be changed while no one is signed in', async () => {
  const error = 'User not authenticated'
  expect(await prayerActions(null).remove(anna)).toEqual({ success: false, error })
})

it.each<['categories' | 'prayers', ...Case]>([
  [
    'categories',
    'Category not found',
    'family',
    (data) => categoryActions(data).change('family', { name: 'Home' }),
  ],
  ['prayers', 'Prayer not found', 'anna', (data) => prayerActions(data).change(anna, { resolved: true })],
])('a change of %s is undone, and the row gone, if another device has deleted it', async (...given) => {
  const [table, error, id, change] = given
  expectConsoleError(error)
  const { data, sync } = await openSynced(server)
  server.remove(table, id)
  await change(data)
  await sync.syncNow()
  expect(data.changeError(table)).toBe(error)
  expect(sync.rows(table)).toEqual([])
})
