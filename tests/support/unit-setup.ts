import { afterEach, beforeEach, vi } from 'vitest'
import { recordConsoleError, takeConsoleFailures } from './console-errors.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(recordConsoleError)
  vi.spyOn(console, 'warn').mockImplementation(recordConsoleError)
})

// Test files share modules and globals, so what a test has replaced is restored after it.
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  const failures = takeConsoleFailures()
  if (failures.length > 0) throw new Error(`Unexpected console messages:\n${failures.join('\n')}`)
})
