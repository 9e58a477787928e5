import { afterEach, vi } from 'vitest'

// Files share their modules and globals: whatever a test stood in for is itself again before the next file begins.
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
