import type { Prayer } from '#web/data/prayers.ts'

/**
 * Where a dialog was opened from a row that is elsewhere now, the focus goes to the row in its new place, else to the
 * heading of the screen: the browser could not give it back.
 */
export function keepFocusOn(prayer: Prayer): void {
  if (document.activeElement !== document.body) return
  const row = document.querySelector(`[data-prayer="${prayer.id}"]`)
  const target = row?.querySelector<HTMLElement>('button') ?? document.querySelector<HTMLElement>('h1')
  target?.focus({ preventScroll: true })
}
