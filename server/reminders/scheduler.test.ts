import { expect, it } from 'vitest'
import { sleepUntil } from './scheduler.ts'

const NOW = new Date('2026-03-02T07:00:00Z')

it.each([
  ['until the next reminder', '2026-03-02T07:00:20Z', 20],
  ['a minute at most, because users may add one meanwhile', '2026-03-03T07:00:00Z', 60],
  ['a minute if there are none', null, 60],
  ['a second at least, for what another server is sending', '2026-03-02T06:00:00Z', 1],
])('the server sleeps %s', (_case, next, seconds) => {
  expect(sleepUntil(next === null ? null : new Date(next), NOW)).toBe(seconds * 1000)
})
