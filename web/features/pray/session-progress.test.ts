import { is } from 'valibot'
import { describe, expect, it } from 'vitest'
import {
  advance,
  countPrayed,
  goBack,
  record,
  resume,
  prayerSessionSchema,
  startPrayerSession,
} from './session-progress.ts'

const IDS = ['anna', 'ben', 'clara']
const begun = startPrayerSession(IDS, '2026-11-22')
const everyone = () => true

describe('a session', () => {
  it('shows one prayer after the other, and is at its end after the last one', () => {
    const second = record(begun, 'prayed', IDS)
    expect(second.current).toBe('ben')
    const third = record(second, 'skipped', IDS)
    const end = record(third, 'answered', IDS)
    expect(end).toEqual({
      day: '2026-11-22',
      ids: IDS,
      current: null,
      outcomes: { anna: 'prayed', ben: 'skipped', clara: 'answered' },
    })
    expect(countPrayed(end)).toBe(1)
  })

  it('goes back, but not beyond the first prayer', () => {
    const second = record(begun, 'prayed', IDS)
    expect(goBack(second, IDS).current).toBe('anna')
    expect(goBack(begun, IDS)).toBe(begun)
  })

  it('passes over prayers that cannot be shown any more', () => {
    expect(record(begun, 'prayed', ['anna', 'clara']).current).toBe('clara')
    expect(advance(begun, ['anna']).current).toBeNull()
    const last = { ...begun, current: 'clara' }
    expect(goBack(last, ['anna', 'clara']).current).toBe('anna')
  })

  it.each(['skipped', 'answered'] as const)(
    'counts a prayer that is %s after going back to it',
    (outcome) => {
      const again = goBack(record(begun, 'prayed', IDS), IDS)
      expect(countPrayed(record(again, outcome, IDS))).toBe(1)
    },
  )
})

describe('continuing a session', () => {
  const left = record(begun, 'prayed', IDS)

  it('begins where it was left', () => {
    expect(resume(left, everyone)).toEqual(left)
  })

  it('passes over what cannot be shown any more', () => {
    expect(resume(left, (id) => id !== 'ben').current).toBe('clara')
    expect(resume(left, (id) => id === 'anna').current).toBeNull()
  })
})

describe('a stored session', () => {
  it.each([begun, record(begun, 'prayed', IDS), { ...begun, current: null }])('is read again', (session) => {
    expect(is(prayerSessionSchema, JSON.parse(JSON.stringify(session)))).toBe(true)
  })

  it.each([
    null,
    {},
    { ...begun, ids: 'anna' },
    { ...begun, current: 'daniel' },
    { ...begun, outcomes: { anna: 'forgotten' } },
  ])('of another form is ignored: %j', (value) => {
    expect(is(prayerSessionSchema, value)).toBe(false)
  })
})
