import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'wouter'
import { shortcutList } from '#web/lib/navigation-state.ts'
import { DASHBOARD } from '#web/lib/paths.ts'
import { requestPrayer } from '#web/lib/requested-prayer.ts'
import { shortcutKey } from '#web/lib/shortcuts.ts'
import { useStore } from '#web/lib/store.ts'
import { PLACES } from './places.tsx'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'

/** The keys that work on every screen for signed-in users, and the list of them. */
export function Shortcuts() {
  const [, navigate] = useLocation()
  const isListOpen = useStore(shortcutList)
  const press = useEffectEvent((event: KeyboardEvent) => {
    const key = shortcutKey(event)
    // A session has keys of its own, and a slip must not end it.
    const isQuiet = document.querySelector('[data-quiet]') !== null
    const place = PLACES.find(({ shortcut }) => shortcut === key)
    if (key === '?') shortcutList.set(true)
    else if (key === 'n' && !isQuiet) {
      requestPrayer()
      navigate(DASHBOARD)
    } else if (place && !isQuiet) navigate(place.path)
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [])
  return isListOpen && <ShortcutsDialog onClose={() => shortcutList.set(false)} />
}
