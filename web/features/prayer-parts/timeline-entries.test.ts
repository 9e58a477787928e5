import { describe, expect, it } from 'vitest'
import type { PrayedMonths } from '#web/data/prayed-counts.ts'
import type { PrayerUpdate } from '#web/data/prayer-updates.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { samplePrayer, sampleUpdate } from '#web/data/sample-rows.test-data.ts'
import { timelineOf } from './timeline-entries.ts'

const TODAY = '2026-11-22'

/** The titles of the entries, with their texts. */
function timeline(
  given: Partial<Prayer>,
  updates: readonly Partial<PrayerUpdate>[] = [],
  months: PrayedMonths | null = null,
) {
  const prayer = samplePrayer({ created_at: '2025-05-02T12:00:00+00:00', ...given })
  const rows = updates.map(({ body = '', ...others }) => sampleUpdate({ id: body, body, ...others }))
  return timelineOf(prayer, { updates: rows, months, today: TODAY }).map((entry) => {
    if (entry.kind === 'update') return `${entry.title}: ${entry.update.body}`
    return entry.kind === 'answer' && entry.text !== null ? `${entry.title}: ${entry.text}` : entry.title
  })
}

it('of a new prayer says when it was added', () => {
  expect(timeline({})).toEqual(['Added 2 May 2025'])
  expect(timeline({ created_at: '2026-11-03T12:00:00+00:00' })).toEqual(['Added 3 November'])
})

it('has everything that happened, newest first, and the months after what happened in them', () => {
  const updates = [
    { body: 'Walking again', created_at: '2026-11-21T12:00:00+00:00' },
    // Reopened later than it was answered.
    { body: 'Home!', created_at: '2026-11-12T12:00:00+00:00', answered_on: '2026-11-10' },
    { body: 'In hospital', created_at: '2026-11-01T12:00:00+00:00' },
    { body: 'A fall', created_at: '2025-12-30T12:00:00+00:00' },
  ]
  expect(timeline({ times_prayed: 14 }, updates, { '2026-11': 12, '2026-02': 1, '2025-12': 1 })).toEqual([
    'Yesterday: Walking again',
    'Answered 10 November, reopened: Home!',
    '1 November: In hospital',
    'Prayed 12 times in November',
    'Prayed once in February',
    '30 December 2025: A fall',
    'Prayed once in December 2025',
    'Added 2 May 2025',
  ])
})

describe('the answer', () => {
  it.each([
    ['with a text', { answer: 'Home again!', answered_on: '2026-11-03' }, 'Answered 3 November: Home again!'],
    ['without a text', { answered_on: '2025-11-03' }, 'Answered 3 November 2025'],
    ['without a date', { answer: 'Home again!' }, 'Answered: Home again!'],
  ])('%s', (_, given, text) => {
    expect(timeline({ resolved: true, ...given })).toEqual([text, 'Added 2 May 2025'])
  })

  it('is shown once if it is the former one', () => {
    const answered = { resolved: true, answer: 'Home!', answered_on: '2026-11-10' }
    expect(timeline(answered, [{ body: 'Home!', answered_on: '2026-11-10' }])).toEqual([
      'Answered 10 November: Home!',
      'Added 2 May 2025',
    ])
  })
})

describe('while only the total of the prayed days is known', () => {
  it.each([
    [
      'several',
      { times_prayed: 37, last_prayed_on: '2026-10-03' },
      'Prayed 37 times over 17 months, last on 3 October',
    ],
    ['one', { times_prayed: 1, last_prayed_on: TODAY }, 'Prayed once, last on 22 November'],
    ['an unknown last one, after one was taken back', { times_prayed: 36 }, 'Prayed 36 times'],
  ])('%s', (_, given, text) => {
    expect(timeline(given)).toEqual([text, 'Added 2 May 2025'])
  })
})
