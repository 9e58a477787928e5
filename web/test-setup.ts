import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// As long as `expect.poll` waits (vitest.config.ts).
configure({ asyncUtilTimeout: 20_000 })

// jsdom has no layout, so nothing is ever resized.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})
