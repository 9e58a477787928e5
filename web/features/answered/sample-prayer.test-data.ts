import type { Prayer } from '#web/data/prayers.ts'

/** An answered prayer with default values for the fields that the test does not set. */
export function answeredPrayer(given: Partial<Prayer> = {}): Prayer {
  return {
    rev: 1,
    id: 'prayer-1',
    user_id: 'user-1',
    category_id: 'family',
    person_name: 'Anna',
    note: null,
    resolved: true,
    due_on: null,
    pray_days: null,
    resting_until: null,
    last_prayed_on: null,
    times_prayed: 0,
    answered_on: null,
    answer: null,
    created_at: '2026-01-01T12:00:00+00:00',
    ...given,
  }
}
