import type { Clock } from '#server/services.ts'

/** A clock that moves only when a test moves it. */
export interface TestClock extends Clock {
  advance(seconds: number): void
  set(time: string): void
}

export const TEST_TIME = '2026-03-01T09:00:00.000Z'

export function createTestClock(start: string = TEST_TIME): TestClock {
  let time = Date.parse(start)
  return {
    now: () => new Date(time),
    advance: (seconds) => {
      time += seconds * 1000
    },
    set: (next) => {
      time = Date.parse(next)
    },
  }
}
