import { GoTrueClient } from '@supabase/auth-js'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'

// As long as `expect.poll` waits (vitest.config.ts).
configure({ asyncUtilTimeout: 60_000 })

// jsdom has no modal dialogs; a dialog that is not open is hidden from queries by role.
HTMLDialogElement.prototype.showModal = function open() {
  this.open = true
}
HTMLDialogElement.prototype.close = function close() {
  this.open = false
}

// It has no popovers either.
HTMLElement.prototype.hidePopover = () => {}

// jsdom has no layout: nothing is ever resized or scrolled, and no media query matches.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
Object.assign(Element.prototype, { scrollIntoView: () => {} })
Object.assign(Range.prototype, { getClientRects: () => [] })
Object.assign(globalThis, { matchMedia: () => ({ matches: false }) })

// Test files share the library, but some load the module again that creates the client. It warns of several.
beforeEach(() => {
  Object.assign(GoTrueClient, { nextInstanceID: {} })
})

afterEach(() => {
  cleanup()
  // What closed dialogs still have to do (ui/close-on-back.ts) would be lost with the fake timers.
  if (vi.isFakeTimers()) vi.advanceTimersByTime(0)
  localStorage.clear()
  sessionStorage.clear()
})
