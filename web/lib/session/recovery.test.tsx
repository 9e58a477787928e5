import { expect, it, vi } from 'vitest'
import { type Recovery, storedRecoverySchema } from './recovery.ts'
import { readStored } from '#web/lib/storage/store.ts'

const STAGES: Recovery[] = [
  { stage: 'open', link: 'recovery', accessToken: 'a', refreshToken: null },
  { stage: 'open', link: 'confirmation', accessToken: 'a', refreshToken: 'r' },
  { stage: 'open', link: 'invitation', accessToken: 'a', refreshToken: 'r' },
  { stage: 'done' },
  { stage: 'failed', message: 'Email link is invalid or has expired' },
]

function afterReload(text: string) {
  sessionStorage.setItem('recovery', text)
  return readStored(sessionStorage, 'recovery', storedRecoverySchema)
}

it.each(STAGES)('a reload keeps the stage $stage', (recovery) => {
  expect(afterReload(JSON.stringify(recovery))).toEqual(recovery)
})

it.each([
  'null',
  '1',
  '{}',
  '{"stage":"other"}',
  '{"stage":"failed"}',
  '{"stage":"open","link":"recovery","accessToken":null,"refreshToken":null}',
  '{"stage":"open","link":"other","accessToken":"a","refreshToken":null}',
])('a reload ignores the stored value %s', (text) => {
  expect(afterReload(text)).toBeUndefined()
})

it('has failed if the link has no token', async () => {
  history.replaceState(null, '', '/reset-password#type=recovery')
  vi.resetModules()
  const { currentRecovery, startRecovery } = await import('./recovery.ts')
  history.replaceState(null, '', '/')
  startRecovery()
  expect(currentRecovery()).toEqual({
    stage: 'failed',
    message: 'No access token found. Please request a new password reset link.',
  })
})
