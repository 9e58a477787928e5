import { literal } from 'valibot'
import { createStore, createStoredValue } from '#web/lib/storage/store.ts'

/** True while the shortcuts that are single characters are switched off, else null. Kept on this device. */
export const lettersOff = createStoredValue('intercede-letter-keys-off', literal(true), () => localStorage)

/** Whether a key outside of text fields has been pressed in this page: then the device has a keyboard. */
export const keyPressed = createStore(false)

/** Elements in which keys have a meaning of their own. */
const TYPING = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]'
const PRESSABLE = 'a, button, input, summary, [role=button]'

/**
 * The key of an event if it may be a shortcut, in lower case if it is a letter; else null. No shortcut works while the user
 * is typing, or while a dialog or a menu is open; Space and Enter press the element that has the focus first.
 */
export function shortcutKey(event: KeyboardEvent): string | null {
  const { key, target } = event
  const isOther = event.defaultPrevented || event.repeat || event.isComposing
  if (isOther || event.ctrlKey || event.metaKey || event.altKey) return null
  if (document.querySelector('dialog:modal, :popover-open')) return null
  const isIn = (selector: string) => target instanceof Element && target.closest(selector) !== null
  if (isIn(TYPING) || ((key === ' ' || key === 'Enter') && isIn(PRESSABLE))) return null
  const isCharacter = key.length === 1 && key !== ' '
  if (isCharacter && lettersOff.get()) return null
  return isCharacter ? key.toLowerCase() : key
}
