import type { MouseEvent } from 'react'

/** For those who go by keyboard: past the navigation, to what the screen is about. */
export function SkipLink() {
  const skip = (event: MouseEvent) => {
    event.preventDefault()
    document.getElementById('main')?.focus()
  }
  return (
    <a
      href="#main"
      onClick={skip}
      className="sr-only z-30 rounded-md border border-line bg-raised px-4 py-3 font-medium text-accent shadow-raised focus:not-sr-only focus:absolute focus:top-3 focus:left-3"
    >
      Skip to content
    </a>
  )
}
