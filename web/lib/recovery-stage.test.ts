import { expect, it } from 'vitest'
import { readRecovery, type Recovery } from './recovery-stage.ts'

const STAGES: Recovery[] = [
  { stage: 'open', accessToken: 'a', refreshToken: null },
  { stage: 'signed-in' },
  { stage: 'done' },
  { stage: 'failed', message: 'Email link is invalid or has expired' },
]

it.each(STAGES)('a reload finds the stage $stage again', (recovery) => {
  expect(readRecovery(JSON.stringify(recovery))).toEqual(recovery)
})

it.each([null, 'null', '1', '{}', '{"stage":"other"}'])('%s is no recovery', (text) => {
  expect(readRecovery(text)).toEqual({ stage: 'none' })
})
