import { beforeEach, describe, expect, it, vi } from 'vitest'
import { NOTE_MAX_LENGTH } from '#shared/limits.ts'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { anna, connectionLost, failure, FakeServer, openSynced } from './user-data.test-data.ts'
import { sampleUpdate } from './sample-rows.test-data.ts'
import { prayerUpdateActions } from './prayer-update-actions.ts'
import { prayerActions } from './prayer-actions.ts'
import type { Prayer } from './prayers.ts'

const ben: Prayer = { ...anna, id: 'ben', person_name: 'Ben', created_at: '2025-01-01T00:00:00+00:00' }
const newPrayer = { category_id: 'family', person_name: 'Cora', note: null }

let server: FakeServer

beforeEach(() => {
  server = new FakeServer()
  server.put('prayers', anna)
  server.put('prayers', ben)
})

async function openPrayers(durable = true) {
  const { data, sync } = await openSynced(server, durable)
  const rows = () => sync.rows('prayers')
  return { data, sync, actions: prayerActions(data), rows, ids: () => rows().map(({ id }) => id) }
}

describe('adding a prayer', () => {
  it('shows it at once at the top of the list, and sends all its columns', async () => {
    const { sync, actions, ids } = await openPrayers()
    const added = actions.add('cora', newPrayer)
    await expect.poll(ids).toEqual(['cora', 'anna', 'ben'])
    expect(await added).toEqual({ success: true })
    await sync.syncNow()
    const body = { ...newPrayer, id: 'cora', user_id: 'me', resolved: false, created_at: expect.any(String) }
    expect(server.changes).toEqual([{ method: 'POST', path: 'prayers', body }])
    expect(ids()).toEqual(['cora', 'anna', 'ben'])
  })

  it('sends the columns that were used, because an older server may not know the others', async () => {
    const { sync, actions } = await openPrayers()
    await actions.add('cora', { ...newPrayer, due_on: '2026-11-27', pray_days: null })
    await sync.syncNow()
    const [request] = server.changes
    expect(request?.body).toMatchObject({ due_on: '2026-11-27' })
    expect(request?.body).not.toHaveProperty('pray_days')
  })
})

describe('in a browser that stores nothing, adding a prayer', () => {
  it('fails and is undone when the server cannot be reached', async () => {
    expectConsoleError('Failed to add prayer')
    const { data, actions, ids } = await openPrayers(false)
    server.intercept = connectionLost
    expect(await actions.add('cora', newPrayer)).toEqual({ success: false, error: 'Failed to add prayer' })
    expect(data.changeError('prayers')).toBe('Failed to add prayer')
    expect(ids()).toEqual(['anna', 'ben'])
  })

  it('fails with the message of the server when it is rejected', async () => {
    expectConsoleError('value too long')
    const { sync, actions } = await openPrayers(false)
    server.intercept = ({ method }) => (method === 'POST' ? failure(400, '22001', 'value too long') : null)
    expect(await actions.add('cora', newPrayer)).toEqual({ success: false, error: 'value too long' })
    expect(sync.status().rejected).toEqual([])
  })

  it('again saves the texts as they are now when the first attempt was saved and its response was lost', async () => {
    expectConsoleError('Failed to add prayer')
    const { actions, rows } = await openPrayers(false)
    server.put('prayers', {
      ...anna,
      id: 'cora',
      person_name: 'Cor',
      created_at: '2026-02-01T00:00:00+00:00',
    })
    server.intercept = connectionLost
    expect(await actions.add('cora', { ...newPrayer, person_name: 'Cor' })).toMatchObject({ success: false })
    server.intercept = () => null
    expect(await actions.add('cora', newPrayer)).toEqual({ success: true })
    expect(server.tables.prayers.map((row) => row['person_name'])).toEqual(['Anna', 'Ben', 'Cora'])
    expect(rows().map((prayer) => prayer.person_name)).toEqual(['Cora', 'Anna', 'Ben'])
  })
})

describe('updating a prayer', () => {
  it('sends the changed fields only', async () => {
    const { sync, actions, rows } = await openPrayers()
    expect(await actions.change(anna, { person_name: 'Anne' })).toEqual({ success: true })
    expect(rows()[0]).toMatchObject({ id: 'anna', person_name: 'Anne' })
    await sync.syncNow()
    expect(server.changes).toEqual([{ method: 'PATCH', path: 'prayers', body: { person_name: 'Anne' } }])
    expect(rows()[0]).toMatchObject({ id: 'anna', person_name: 'Anne' })
  })

  it('dates a note by when it was changed: at once, and on the server when it is sent', async () => {
    const { sync, actions, rows } = await openPrayers()
    server.intercept = connectionLost
    await actions.change(anna, { person_name: 'Anne' })
    expect(rows()[0]).toMatchObject({ note_changed_at: null })
    await actions.change(anna, { note: 'Home again' })
    expect(rows()[0]).toMatchObject({ note_changed_at: '2026-11-03T14:05:00.000Z' })
    server.intercept = () => null
    server.changes.length = 0
    await sync.syncNow()
    expect(server.changes.map(({ body }) => body)).toEqual([
      { person_name: 'Anne' },
      { note: 'Home again', note_changed_at: '2026-11-03T14:05:00.000Z' },
    ])
  })

  it('dates a note as late as the newest update that shows, also if the clock of the device is slow', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-03T14:05:00Z') })
    const { sync, actions, rows } = await openPrayers()
    const dates = async (created_at: string) => {
      server.put('prayer_updates', sampleUpdate({ prayer_id: 'anna', created_at }))
      await sync.syncNow()
      await actions.change(rows()[0] ?? anna, { note: `After ${created_at}` })
      const shown = rows()[0]?.note_changed_at
      await sync.syncNow()
      return [shown, server.tables.prayers.find(({ id }) => id === 'anna')?.['note_changed_at']]
    }
    const [before, after] = ['2026-11-03T14:04:59.999999+00:00', '2026-11-03T15:00:00.123456+00:00']
    expect(await dates(before)).toEqual(['2026-11-03T14:05:00.000Z', '2026-11-03T14:05:00.000Z'])
    expect(await dates(after)).toEqual([after, after])
  })

  it('does not date a note that is sent as it is, to be encrypted', async () => {
    const { sync, actions, rows } = await openPrayers()
    server.intercept = connectionLost
    await actions.change(anna, { note: anna.note })
    expect(rows()[0]).toMatchObject({ note_changed_at: null })
    server.intercept = () => null
    server.changes.length = 0
    await sync.syncNow()
    expect(server.changes.map(({ body }) => body)).toEqual([{ note: anna.note }])
  })

  it('does not send the time of a note to an older server, which does not know it', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-03T14:05:00Z') })
    const { note_changed_at: _unknown, ...row } = anna
    server.put('prayers', row)
    const { sync, actions, rows } = await openPrayers()
    await actions.change(anna, { note: 'Home again' })
    await sync.syncNow()
    // The clock of the device is slow.
    server.put('prayer_updates', sampleUpdate({ prayer_id: 'anna', created_at: '2026-11-03T15:00:00+00:00' }))
    await sync.syncNow()
    await actions.change(rows()[0] ?? anna, { note: 'Well' })
    await sync.syncNow()
    expect(server.changes.map(({ body }) => body)).toEqual([{ note: 'Home again' }, { note: 'Well' }])
  })

  it('keeps a note that another device has changed since editing began, and its own as an update', async () => {
    const { data, sync, actions, rows } = await openPrayers()
    server.put('prayers', { ...anna, note: 'from the phone' })
    await sync.syncNow()
    await actions.change(anna, { person_name: 'Anna Maria', note: 'from here' })
    await sync.syncNow()
    expect(rows()[0]).toMatchObject({ person_name: 'Anna Maria', note: 'from the phone' })
    expect(sync.rows('prayer_updates')).toMatchObject([
      { prayer_id: 'anna', body: 'Your version of 3 November, 14:05\n\nfrom here' },
    ])
    expect(sync.status().rejected).toEqual([])
    expect(data.changeError('prayers')).toBeNull()
  })

  it('loses no word of a note that has no room for a heading', async () => {
    const note = 'a'.repeat(NOTE_MAX_LENGTH)
    const { sync, actions } = await openPrayers()
    server.put('prayers', { ...anna, note: 'from the phone' })
    await actions.change(anna, { note })
    await sync.syncNow()
    expect(server.tables.prayer_updates).toMatchObject([{ body: note }])
  })

  it('dates the answer when it is resolved, with the day in the time zone of the user', async () => {
    // In UTC it is still the day before.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-02T23:30:00Z') })
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
      ...new Intl.DateTimeFormat().resolvedOptions(),
      timeZone: 'Europe/Warsaw',
    })
    const { sync, actions, rows } = await openPrayers()
    await actions.change(anna, { resolved: true })
    expect(rows()[0]).toMatchObject({ resolved: true, answered_on: '2026-11-03' })
    await sync.syncNow()
    expect(server.changes.map(({ body }) => body)).toEqual([{ resolved: true, answered_on: '2026-11-03' }])
  })

  it('ends the repetition of a date that is removed, as the database does', async () => {
    const repeated: Prayer = { ...anna, due_on: '2026-03-05', due_repeats: 'yearly' }
    server.put('prayers', repeated)
    const { sync, actions, rows } = await openPrayers()
    await actions.change(repeated, { due_on: '2026-03-06' })
    expect(rows()[0]).toMatchObject({ due_on: '2026-03-06', due_repeats: 'yearly' })
    await actions.change(repeated, { due_on: null })
    expect(rows()[0]).toMatchObject({ due_on: null, due_repeats: null })
    await sync.syncNow()
    expect(server.changes.map(({ body }) => body)).toEqual([
      { due_on: '2026-03-06' },
      { due_on: null, due_repeats: null },
    ])
  })

  it('keeps the date that was chosen, and removes it when the prayer is reopened', async () => {
    const { actions, rows } = await openPrayers()
    server.intercept = connectionLost
    await actions.change(anna, { resolved: true, answered_on: '2026-11-01' })
    expect(rows()[0]).toMatchObject({ resolved: true, answered_on: '2026-11-01' })
    await actions.change(anna, { resolved: false })
    expect(rows()[0]).toMatchObject({ resolved: false, answered_on: null })
  })
})

describe('reopening an answered prayer', () => {
  const answered: Prayer = { ...anna, resolved: true, answered_on: '2025-12-24', answer: 'Home again!' }
  const former = { prayer_id: 'anna', body: 'Home again!', answered_on: '2025-12-24' }

  async function openAnswered() {
    server.put('prayers', answered)
    const opened = await openPrayers()
    const updates = () => opened.sync.rows('prayer_updates')
    const calls = () => server.changes.map(({ path, body }) => [path, body])
    return { ...opened, updates, calls }
  }

  it('shows the answer as an update at once, and again as the answer when that is undone', async () => {
    const { sync, actions, rows, updates, calls } = await openAnswered()
    server.intercept = connectionLost
    await actions.change(answered, { resolved: false })
    expect(rows()[0]).toMatchObject({ resolved: false, answered_on: null, answer: null })
    const [shown] = updates()
    expect(shown).toMatchObject(former)
    expect(await actions.restore(answered)).toEqual({ success: true })
    expect(rows()[0]).toMatchObject({ resolved: true, answered_on: '2025-12-24', answer: 'Home again!' })
    expect(updates()).toEqual([])
    server.intercept = () => null
    await sync.syncNow()
    const ids = { prayer_id: 'anna', update_id: shown?.id }
    expect(calls()).toEqual([
      ['rpc/reopen_prayer', expect.objectContaining({ ...ids, reopened_at: expect.any(String) })],
      ['rpc/undo_reopen_prayer', ids],
    ])
  })

  it('is done again when resolving it is undone', async () => {
    const { actions, rows } = await openAnswered()
    expect(await actions.restore({ ...answered, resolved: false, answer: null })).toEqual({ success: true })
    expect(rows()[0]).toMatchObject({ resolved: false, answered_on: null })
  })

  it('shows the update under the same id once the server has it, and lets it be changed before', async () => {
    const { sync, actions, data, updates, calls } = await openAnswered()
    server.intercept = connectionLost
    await actions.change(answered, { resolved: false })
    const [shown] = updates()
    if (!shown) throw new Error('The update does not show.')
    await prayerUpdateActions(data).changeUpdate(shown, 'Home again, and well!')
    server.intercept = ({ path }) => {
      if (path !== 'rpc/reopen_prayer') return null
      server.put('prayers', { ...anna, resolved: false })
      server.put('prayer_updates', shown)
      return null
    }
    await sync.syncNow()
    expect(calls().map(([path]) => path)).toEqual(['rpc/reopen_prayer', 'prayer_updates'])
    expect(updates()).toMatchObject([{ id: shown.id, body: 'Home again, and well!' }])
  })

  it('saves what else was changed with it', async () => {
    const { sync, actions, calls } = await openAnswered()
    await actions.change(answered, { resolved: false, note: 'Surgery' })
    await sync.syncNow()
    expect(calls()).toEqual([
      ['rpc/reopen_prayer', expect.anything()],
      ['prayers', { note: 'Surgery', note_changed_at: expect.any(String) }],
    ])
  })

  it('happens together with what else was changed, or not at all', async () => {
    expectConsoleError('Failed to update prayer')
    const { data, sync } = await openAnswered()
    const change = vi.fn(() => Promise.reject(new Error('The disk is full')))
    const actions = prayerActions({ ...data, sync: () => ({ ...sync, change }) })
    const fields = { resolved: false, note: 'Surgery' }
    expect(await actions.change(answered, fields)).toMatchObject({ success: false })
    expect(change.mock.calls).toEqual([
      [
        expect.objectContaining({ name: 'reopen_prayer' }),
        expect.objectContaining({ fields: { note: 'Surgery' } }),
      ],
    ])
  })

  it('without an answer is an update of the prayer, and leaves it without a date if it had none', async () => {
    const undated = { ...answered, answer: null, answered_on: null }
    server.put('prayers', undated)
    const { sync, actions } = await openPrayers()
    await actions.change(undated, { resolved: false })
    await actions.restore(undated)
    await sync.syncNow()
    // The database dates a prayer that is resolved without a date, but not one that is resolved already.
    expect(server.changes.map(({ body }) => body)).toEqual([
      { resolved: false, answered_on: null },
      { resolved: true, answered_on: null },
      { answered_on: null },
    ])
  })
})

describe('praying', () => {
  it('counts once a day, without a connection as well', async () => {
    const { sync, actions, rows } = await openPrayers()
    server.intercept = connectionLost
    expect(await actions.markPrayed(['anna'], '2026-11-03')).toEqual({ success: true })
    expect(await actions.markPrayed(['anna'], '2026-11-03')).toEqual({ success: true })
    expect(rows()).toMatchObject([
      { id: 'anna', last_prayed_on: '2026-11-03', times_prayed: 1 },
      { id: 'ben', last_prayed_on: null, times_prayed: 0 },
    ])
    expect(sync.status().waiting).toBe(1)
    await actions.markPrayed(['anna', 'ben'], '2026-11-04')
    expect(rows()).toMatchObject([
      { last_prayed_on: '2026-11-04', times_prayed: 2 },
      { last_prayed_on: '2026-11-04', times_prayed: 1 },
    ])
    server.intercept = () => null
    await sync.syncNow()
    expect(
      server.changes.filter(({ path }) => path === 'rpc/mark_prayed').map(({ body }) => body),
    ).toContainEqual({
      prayer_ids: ['anna', 'ben'],
      prayed_on: '2026-11-04',
    })
  })

  it('counts an earlier day without forgetting the latest', async () => {
    const { actions, rows } = await openPrayers()
    await actions.markPrayed(['anna'], '2026-11-04')
    await actions.markPrayed(['anna'], '2026-11-03')
    expect(rows()[0]).toMatchObject({ last_prayed_on: '2026-11-04', times_prayed: 2 })
  })
})

describe('taking back a day of prayer', () => {
  const prayed: Prayer = { ...anna, last_prayed_on: '2026-11-03', times_prayed: 5 }
  const calls = () =>
    server.changes.filter(({ path }) => path === 'rpc/unmark_prayed').map(({ body }) => body)

  beforeEach(() => server.put('prayers', prayed))

  it('counts one day less, and shows no latest day until the server has responded', async () => {
    const { sync, actions, rows } = await openPrayers()
    server.intercept = connectionLost
    expect(await actions.unmarkPrayed(['anna', 'ben'], '2026-11-03')).toEqual({ success: true })
    expect(rows()).toMatchObject([
      { id: 'anna', last_prayed_on: null, times_prayed: 4 },
      { id: 'ben', last_prayed_on: null, times_prayed: 0 },
    ])
    server.intercept = () => null
    await sync.syncNow()
    expect(calls()).toContainEqual({ prayer_ids: ['anna'], prayed_on: '2026-11-03' })
    server.put('prayers', { ...prayed, last_prayed_on: '2026-10-30', times_prayed: 4 })
    await sync.syncNow()
    expect(rows()[0]).toMatchObject({ last_prayed_on: '2026-10-30', times_prayed: 4 })
  })

  it('can be changed again and again without a connection, and all of it is sent in order', async () => {
    const { sync, actions, rows } = await openPrayers()
    server.intercept = connectionLost
    await actions.markPrayed(['anna'], '2026-11-04')
    await actions.unmarkPrayed(['anna'], '2026-11-04')
    expect(rows()[0]).toMatchObject({ last_prayed_on: null, times_prayed: 5 })
    await actions.markPrayed(['anna'], '2026-11-04')
    expect(rows()[0]).toMatchObject({ last_prayed_on: '2026-11-04', times_prayed: 6 })
    expect(sync.status().waiting).toBe(3)
  })

  it('of an earlier day is left to the server, which knows whether there was one', async () => {
    const { sync, actions, rows } = await openPrayers()
    await actions.unmarkPrayed(['anna'], '2026-11-01')
    expect(rows()[0]).toMatchObject({ last_prayed_on: '2026-11-03', times_prayed: 5 })
    await sync.syncNow()
    expect(calls()).toEqual([{ prayer_ids: ['anna'], prayed_on: '2026-11-01' }])
  })

  it('sends nothing for what certainly was not prayed on that day', async () => {
    const { sync, actions } = await openPrayers()
    expect(await actions.unmarkPrayed(['anna', 'ben'], '2026-11-04')).toEqual({ success: true })
    expect(sync.status().waiting).toBe(0)
  })
})

describe('deleting a prayer', () => {
  it('removes it at once, here and on the server', async () => {
    const { sync, actions, ids } = await openPrayers()
    expect(await actions.remove(anna)).toEqual({ success: true })
    expect(ids()).toEqual(['ben'])
    await sync.syncNow()
    expect(server.tables.prayers.map(({ id }) => id)).toEqual(['ben'])
  })

  it('keeps a prayer whose note has never been shown here', async () => {
    expectConsoleError('This was changed on another device, so it was not deleted.')
    const { sync, actions, rows } = await openPrayers()
    server.put('prayers', { ...anna, note: 'from the phone' })
    await actions.remove(anna)
    await sync.syncNow()
    expect(rows()[0]).toMatchObject({ id: 'anna', note: 'from the phone' })
  })
})

describe('the order of prayers', () => {
  it('of the same time is by id, the higher one first, as in the database', async () => {
    server.put('prayers', { ...anna, id: 'annb' })
    const { ids } = await openPrayers()
    expect(ids()).toEqual(['annb', 'anna', 'ben'])
  })
})
