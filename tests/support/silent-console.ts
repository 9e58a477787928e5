import { afterEach, beforeEach, vi } from 'vitest'
import { recordConsoleError, takeConsoleSurprises } from './console-errors.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(recordConsoleError)
  vi.spyOn(console, 'warn').mockImplementation(recordConsoleError)
})

afterEach(() => {
  const surprises = takeConsoleSurprises()
  if (surprises.length > 0) throw new Error(`Nobody expected on the console:\n${surprises.join('\n')}`)
})
