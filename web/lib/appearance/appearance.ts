import { picklist } from 'valibot'
import { createStoredValue, type Store } from '#web/lib/storage/store.ts'
import { showAppearance, TEXT_SIZE_KEY, THEME_KEY } from './show-appearance.ts'

export type Theme = 'light' | 'dark'
export type TextSize = 'large' | 'larger'

/** The theme chosen on this device; null for that of the system. */
export const theme: Store<Theme | null> = shown(
  createStoredValue(THEME_KEY, picklist(['light', 'dark']), () => localStorage),
)

/** The text size chosen on this device; null for that of the browser. */
export const textSize: Store<TextSize | null> = shown(
  createStoredValue(TEXT_SIZE_KEY, picklist(['large', 'larger']), () => localStorage),
)

/** Shows each change at once. */
function shown<T>(store: Store<T>): Store<T> {
  return {
    ...store,
    set: (value) => {
      store.set(value)
      showAppearance()
    },
  }
}
