import { describe, expect, it } from 'vitest'
import type { Prayer } from './prayer.ts'
import { applyPrayerChange } from './prayer-change.ts'
import { samplePrayer } from './sample-prayer.test-data.ts'

const newest = samplePrayer({ id: 'c', created_at: '2026-03-03T00:00:00+00:00' })
const middle = samplePrayer({ id: 'b', created_at: '2026-02-02T00:00:00+00:00' })
const oldest = samplePrayer({ id: 'a', created_at: '2026-01-01T00:00:00+00:00' })
const prayers = [newest, middle, oldest]

const ids = (list: readonly Prayer[]) => list.map((prayer) => prayer.id)

describe('a saved prayer', () => {
  it('that is new takes its place by date, newest first', () => {
    const added = samplePrayer({ id: 'n', created_at: '2026-02-15T00:00:00.5+00:00' })
    expect(ids(applyPrayerChange(prayers, { kind: 'saved', prayer: added }))).toEqual(['c', 'n', 'b', 'a'])
  })

  it('of the same moment stands before lower ids, as the server orders them', () => {
    const twin = samplePrayer({ id: 'bb', created_at: middle.created_at })
    expect(ids(applyPrayerChange(prayers, { kind: 'saved', prayer: twin }))).toEqual(['c', 'bb', 'b', 'a'])
  })

  it('that is the oldest comes last', () => {
    const ancient = samplePrayer({ id: 'z', created_at: '2020-01-01T00:00:00+00:00' })
    expect(ids(applyPrayerChange(prayers, { kind: 'saved', prayer: ancient }))).toEqual(['c', 'b', 'a', 'z'])
  })

  it('that is known replaces the one before in its place, however often it is told', () => {
    const saved = { ...middle, person_name: 'Ruth' }
    const once = applyPrayerChange(prayers, { kind: 'saved', prayer: saved })
    expect(once).toEqual([newest, saved, oldest])
    expect(applyPrayerChange(once, { kind: 'saved', prayer: saved })).toEqual(once)
  })
})

it('an edit touches only its fields and only its row', () => {
  const edited = applyPrayerChange(prayers, { kind: 'edited', id: 'b', fields: { resolved: true } })
  expect(edited[1]).toEqual({ ...middle, resolved: true })
  expect(edited[0]).toBe(newest)
  expect(edited[2]).toBe(oldest)
})

it('a deletion leaves the others in their order', () => {
  expect(applyPrayerChange(prayers, { kind: 'deleted', id: 'b' })).toEqual([newest, oldest])
})
