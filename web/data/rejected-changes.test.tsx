import { act, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import type { RejectedChange } from '#web/sync/change.ts'
import type { Arguments, CallName, Columns } from '#web/sync/schema.ts'
import {
  anna,
  failure,
  FakeServer,
  family,
  openSynced,
  updateOnAnna,
  withData,
} from './user-data.test-data.ts'
import { prayerUpdateActions } from './prayer-update-actions.ts'
import { prayerActions } from './prayer-actions.ts'
import { describeChange, useRejectedChanges } from './rejected-changes.ts'

interface Given extends Partial<
  Pick<RejectedChange, 'kind' | 'table' | 'reason' | 'code' | 'message' | 'isPlain'>
> {
  row?: string
  fields?: Columns
  name?: CallName
  args?: Arguments
}

/** An update, unless it is said to be something else. */
function rejectedOf({ kind = 'update', ...given }: Given): RejectedChange {
  return {
    id: 'change-1',
    user_id: 'me',
    table: 'prayers',
    kind,
    row: 'anna',
    fields: {},
    base: {},
    seen: [],
    name: 'mark_prayed',
    args: {},
    at: '2026-11-03T14:05:00Z',
    reason: 'rejected',
    code: '22001',
    message: 'value too long',
    ...given,
  }
}

const describeIt = (change: Given, prayers = [anna]) =>
  describeChange(rejectedOf(change), { prayers, categories: [family], updates: [updateOnAnna] })

/** Names are isolated with invisible characters. */
const withBrackets = (title: string) => title.replaceAll('\u2068', '[').replaceAll('\u2069', ']')

const ofCategory = (change: Given) => describeIt({ table: 'categories', row: 'family', ...change })

const ofUpdate = (change: Given, prayers = [anna]) =>
  describeIt({ table: 'prayer_updates', row: 'update', ...change }, prayers)

describe('the title', () => {
  it.each([
    [{ kind: 'insert', row: 'new', fields: { person_name: 'Ben' } }, 'You added the prayer for [Ben]'],
    [{ fields: { note: 'A calm week' } }, 'You changed the details of [Anna]'],
    [{ fields: { resolved: true } }, 'You marked [Anna] as resolved'],
    [{ fields: { category_id: 'friends', resolved: true } }, 'You moved [Anna] to another category'],
    [{ fields: { resolved: true, answered_on: '2026-11-03' } }, 'You marked [Anna] as resolved'],
    [{ fields: { answer: 'She passed' } }, 'You recorded the answer to the prayer for [Anna]'],
    [
      { fields: { answered_on: '2026-11-03' } },
      'You changed the date of the answer to the prayer for [Anna]',
    ],
    [{ fields: { due_on: '2026-11-03' } }, 'You changed when to pray for [Anna]'],
    [{ fields: { resting_until: null } }, 'You changed when to pray for [Anna]'],
    [{ kind: 'delete' }, 'You deleted the prayer for [Anna]'],
    [{ kind: 'delete', row: 'unknown' }, 'You deleted a prayer'],
    [{ row: 'unknown', fields: { note: 'A calm week' } }, 'You changed the details of a prayer'],
  ] as const)('of a change of a prayer: %o', (change, title) => {
    expect(withBrackets(describeIt(change).title)).toBe(title)
  })

  it.each([
    [['anna'], 'You prayed for [Anna]'],
    [['unknown'], 'You prayed for someone'],
    [['anna', 'ben'], 'You prayed for 2 people'],
  ])('of a day on which %o were prayed for', (prayer_ids, title) => {
    const args = { prayer_ids, prayed_on: '2026-11-03' }
    expect(withBrackets(describeIt({ kind: 'call', args }).title)).toBe(title)
  })

  it('of a day that was taken back', () => {
    const args = { prayer_ids: ['anna'], prayed_on: '2026-11-03' }
    const { title } = describeIt({ kind: 'call', name: 'unmark_prayed', args })
    expect(withBrackets(title)).toBe('You took back that you prayed for [Anna]')
  })

  it.each([
    ['church', ['anna'], 'You moved [Anna] to another category'],
    ['family', ['anna', 'ben', 'carl'], 'You moved 3 people to the category “[Family]”'],
  ])('of a move to %s', (category_id, prayer_ids, title) => {
    const args = { prayer_ids, category_id }
    expect(withBrackets(describeIt({ kind: 'call', name: 'move_prayers', args }).title)).toBe(title)
  })

  it.each([
    ['reopen_prayer', 'You marked [Anna] as unresolved'],
    ['undo_reopen_prayer', 'You marked [Anna] as resolved'],
  ] as const)('of a call of %s', (name, title) => {
    const args = { prayer_id: 'anna', update_id: 'update' }
    expect(withBrackets(describeIt({ kind: 'call', name, args }).title)).toBe(title)
  })

  it.each([
    [
      { kind: 'insert', row: 'new', fields: { prayer_id: 'anna', body: 'Better' } },
      'You added an update to the prayer for [Anna]',
    ],
    [
      { kind: 'insert', row: 'new', fields: { prayer_id: 'unknown', body: 'Better' } },
      'You added an update to a prayer',
    ],
    [{ fields: { prayer_id: 'anna', body: 'Better' } }, 'You changed an update to the prayer for [Anna]'],
    [{ kind: 'delete' }, 'You deleted an update to the prayer for [Anna]'],
  ] as const)('of a change of an update: %o', (change, title) => {
    expect(withBrackets(ofUpdate(change).title)).toBe(title)
  })

  it.each([
    [{ kind: 'insert', row: 'new', fields: { name: 'Church' } }, 'You added the category “[Church]”'],
    [{ fields: { name: 'Home' } }, 'You renamed the category “[Family]” to “[Home]”'],
    [{ row: 'unknown', fields: { name: 'Home' } }, 'You renamed a category to “[Home]”'],
    [{ fields: { is_visible: false } }, 'You hid the category “[Family]”'],
    [{ fields: { pray_days: 9 } }, 'You changed the days of the category “[Family]”'],
    [{ kind: 'delete' }, 'You deleted the category “[Family]”'],
    [{ kind: 'call' }, 'You reordered the categories'],
  ] as const)('of a change of a category: %o', (change, title) => {
    expect(withBrackets(ofCategory(change).title)).toBe(title)
  })
})

it('has a dialog with the name of a category, and the days that were chosen with it', () => {
  const { form } = ofCategory({ fields: { name: 'Home', pray_days: 9 } })
  expect(form).toMatchObject({ row: { id: 'family' }, fields: { name: 'Home', pray_days: 9 } })
})

describe('the reason', () => {
  const full = 'Your account is full: it can hold at most 500 categories.'
  it.each([
    [{}, 'The server did not accept it.', 'value too long'],
    [{ message: '' }, 'The server could not save it.'],
    [{ code: 'PT413', message: full }, full],
    [{ code: '23503', message: 'violates foreign key' }, 'Its category was deleted on another device.'],
    [{ reason: 'conflict', kind: 'delete' }, 'It was changed on another device, so it was not deleted.'],
    [{ reason: 'deleted' }, 'This prayer was deleted on another device.'],
    [{ reason: 'depends' }, 'Its category could not be added.'],
    [{ reason: 'restored' }, 'The server was restored from an older backup, and it was changed since.'],
  ] as const)('of %o', (change, reason, detail: string = '') => {
    expect(describeIt(change)).toMatchObject({ reason, detail })
  })

  it.each([
    [{ code: '23503', message: 'violates foreign key' }, 'Its prayer was deleted on another device.'],
    [{ reason: 'deleted' }, 'This update was deleted on another device.'],
    [{ reason: 'depends' }, 'The prayer could not be added.'],
  ] as const)('of %o for an update', (change, reason) => {
    expect(ofUpdate(change).reason).toBe(reason)
  })

  it('of a prayed day whose prayer could not be added', () => {
    expect(describeIt({ kind: 'call', reason: 'depends' }).reason).toBe('The prayer could not be added.')
  })

  it('says of a text that was not encrypted that it may not be the user’s, and so does the title', () => {
    const described = describeIt({ reason: 'restored', fields: { note: 'A calm week' }, isPlain: true })
    expect(described).toMatchObject({ title: 'A text that was not encrypted', text: 'A calm week' })
    expect(described.reason).toMatch(/^The server does not have it any more. It may not be yours/)
  })

  it('of prayers that were not moved', () => {
    const move = { kind: 'call', name: 'move_prayers', args: {} } as const
    expect(describeIt({ ...move, code: '23503' }).reason).toBe('The category was deleted on another device.')
    expect(describeIt({ ...move, reason: 'depends' }).reason).toBe('The category could not be added.')
  })

  it('of a category that was not deleted', () => {
    expect(ofCategory({ kind: 'delete', code: '23503' }).reason).toMatch(/^Cannot delete category with/)
  })
})

describe('the dialog to correct it', () => {
  it('has everything that was typed, and the other fields as they are', () => {
    const { text, form } = describeIt({ fields: { person_name: 'Anna Maria', note: 'A calm week' } })
    expect(text).toBe('Anna Maria\nA calm week')
    const fields = { category_id: 'family', person_name: 'Anna Maria', note: 'A calm week', resolved: false }
    expect(form).toEqual({ kind: 'prayer', id: 'anna', row: anna, fields })
  })

  it('keeps a note that was emptied', () => {
    const change = { fields: { note: null } }
    const { form } = describeIt(change, [{ ...anna, note: 'before' }])
    expect(form).toMatchObject({ fields: { note: null } })
  })

  it('has the note that was seen when another one was typed', () => {
    const change = { fields: { note: 'A calm week' }, base: { note: 'Exams', answer: null } }
    const { form } = describeIt(change, [{ ...anna, note: 'Passed' }])
    expect(form).toMatchObject({ row: { note: 'Exams' }, fields: { note: 'A calm week' } })
  })

  it('adds the prayer again under the same id', () => {
    const fields = { category_id: 'family', person_name: 'Ben', note: null, resolved: false }
    const { form } = describeIt({ kind: 'insert', row: 'ben', fields })
    expect(form).toEqual({ kind: 'prayer', id: 'ben', row: null, fields })
  })

  it('adds an answered prayer, which a restored server has lost, with the answer in its note', () => {
    const fields = { person_name: 'Ben', note: 'A job', resolved: true, answer: 'He has one' }
    const { form } = describeIt({ kind: 'insert', row: 'ben', fields })
    expect(form).toMatchObject({ id: 'ben', row: null, fields: { note: 'A job\n\nHe has one' } })
  })

  it.each([
    ['it was deleted on another device', []],
    ['it was deleted there, but is still shown here', undefined],
  ])('adds a new prayer if %s', (_, shown) => {
    const { form } = describeIt({ reason: 'deleted', fields: { note: 'A calm week' } }, shown)
    expect(form).toMatchObject({
      id: 'change-1',
      row: null,
      fields: { person_name: '', note: 'A calm week' },
    })
  })

  it('does not exist for a change without text of a prayer that was deleted on another device', () => {
    const described = describeIt({ reason: 'deleted', fields: { resolved: true } }, [])
    expect(described).toMatchObject({ form: null, canSucceed: false })
  })

  it('does not exist for an answer, which can be sent again', () => {
    const described = describeIt({ fields: { answer: 'She passed' } })
    expect(described).toMatchObject({ text: 'She passed', form: null, canSucceed: true })
  })

  it.each([{ resolved: true }, { resolved: false, answered_on: null }])(
    'does not exist for a tap, which can be sent again: %o',
    (fields) => {
      expect(describeIt({ fields })).toMatchObject({ form: null, canSucceed: true })
    },
  )

  it('has the dates that were chosen', () => {
    const { form } = describeIt({ fields: { note: 'A calm week', due_on: '2026-11-03' } })
    expect(form).toMatchObject({ fields: { note: 'A calm week', due_on: '2026-11-03' } })
  })

  it.each([
    ['an answer', describeIt({ reason: 'deleted', fields: { answer: 'She passed' } }, [])],
    ['an update', ofUpdate({ kind: 'insert', row: 'new', fields: { body: 'She passed' } }, [])],
  ])('adds a new prayer with the text of %s whose prayer was deleted', (_, { form, canSucceed }) => {
    expect(canSucceed).toBe(false)
    expect(form).toMatchObject({ id: 'change-1', row: null, fields: { note: 'She passed' } })
  })

  it('does not exist for what has no text', () => {
    expect(describeIt({ kind: 'delete' }).form).toBeNull()
    expect(ofCategory({ kind: 'call' }).form).toBeNull()
  })
})

describe('the list of changes', () => {
  let server: FakeServer

  beforeEach(() => {
    server = new FakeServer()
    server.put('categories', family)
  })

  async function open() {
    const { data, sync } = await openSynced(server)
    const syncNow = () => act(() => sync.syncNow())
    return { data, syncNow, ...renderHook(useRejectedChanges, withData(data)) }
  }

  it('keeps a rejected change until it is discarded', async () => {
    server.intercept = ({ method }) => (method === 'POST' ? failure(400, '22001', 'too long') : null)
    const { data, syncNow, result } = await open()
    expectConsoleError('Failed to add prayer: too long')
    const ben = { category_id: 'family', person_name: 'Ben', note: null }
    await act(() => prayerActions(data).add('ben', ben))
    await syncNow()
    expect(result.current).toMatchObject([
      { text: 'Ben', reason: 'The server did not accept it.', detail: 'too long', tryAgain: null },
    ])
    await act(async () => result.current[0]?.discard())
    expect(result.current).toEqual([])
  })

  it('adds the text of an update that was deleted on another device as a new one', async () => {
    server.put('prayers', anna)
    server.put('prayer_updates', updateOnAnna)
    const { data, syncNow, result } = await open()
    expectConsoleError('Update not found')
    server.remove('prayer_updates', 'update')
    await act(() => prayerUpdateActions(data).changeUpdate(updateOnAnna, 'She is home'))
    await syncNow()
    expect(result.current).toMatchObject([{ text: 'She is home', form: null }])
    await act(async () => result.current[0]?.tryAgain?.())
    await syncNow()
    expect(result.current).toEqual([])
    expect(server.tables.prayer_updates).toMatchObject([{ prayer_id: 'anna', body: 'She is home' }])
  })
})
