import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'wouter'
import { SESSION_SHORTCUTS } from '#web/features/pray/session-keys.ts'
import { shortcutList } from '#web/lib/navigation/navigation-state.ts'
import { DASHBOARD } from '#web/lib/navigation/routes.ts'
import { requestPrayer } from '#web/lib/navigation/requested-prayer.ts'
import { keyPressed, lettersOff, shortcutKey } from '#web/lib/navigation/shortcuts.ts'
import { useStore } from '#web/lib/storage/store.ts'
import { Checkbox } from '#web/ui/choices.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { PLACES } from './signed-in-routes.tsx'

/** The keys that work on every screen for signed-in users, and the list of them. */
export function Shortcuts() {
  const [, navigate] = useLocation()
  const isListOpen = useStore(shortcutList)
  const press = useEffectEvent((event: KeyboardEvent) => {
    const key = shortcutKey(event)
    if (key !== null) keyPressed.set(true)
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

interface Shortcut {
  keys: readonly string[]
  action: string
}

/** The list of keyboard shortcuts, with a switch for those that are single characters. */
function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const isOff = useStore(lettersOff) !== null
  const places = PLACES.flatMap(({ label, shortcut }) =>
    shortcut ? { keys: [shortcut.toUpperCase()], action: label } : [],
  )
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <ShortcutList
        title="Everywhere"
        shortcuts={[
          { keys: ['N'], action: 'New prayer' },
          ...places,
          { keys: ['?'], action: 'Keyboard shortcuts' },
        ]}
      />
      <ShortcutList title="While you pray" shortcuts={SESSION_SHORTCUTS} />
      <div className="border-t border-line pt-2">
        <Checkbox
          label="Use single letters and signs as shortcuts"
          checked={!isOff}
          onChange={(event) => lettersOff.set(event.currentTarget.checked ? null : true)}
        />
        {isOff && (
          <p role="status" className="text-sm text-ink-soft">
            To see this list again, open it from the account menu.
          </p>
        )}
      </div>
    </Dialog>
  )
}

function ShortcutList({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  return (
    <div>
      <h3 className="text-lg">{title}</h3>
      <dl className="divide-y divide-line text-sm">
        {shortcuts.map(({ keys, action }) => (
          <div key={action} className="flex items-center justify-between gap-4 py-1.5">
            <dt>{action}</dt>
            <dd className="flex flex-wrap justify-end gap-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded-sm border border-line bg-sunken px-2 font-sans">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
