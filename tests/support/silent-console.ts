import { afterEach, beforeEach, vi } from 'vitest'
import { recordConsoleError, takeConsoleFailures } from './console-errors.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(recordConsoleError)
  vi.spyOn(console, 'warn').mockImplementation(recordConsoleError)
})

afterEach(() => {
  const failures = takeConsoleFailures()
  if (failures.length > 0) throw new Error(`Unexpected console messages:\n${failures.join('\n')}`)
})
