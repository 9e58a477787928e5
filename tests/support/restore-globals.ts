import { afterEach, vi } from 'vitest'

// Test files share modules and globals, so what a test has replaced is restored after it.
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
