import { SESSION_SHORTCUTS } from '#web/features/pray/session-keys.ts'
import { lettersOff } from '#web/lib/shortcuts.ts'
import { useStore } from '#web/lib/store.ts'
import { Checkbox } from '#web/ui/choices.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { PLACES } from './places.tsx'

interface Shortcut {
  keys: readonly string[]
  action: string
}

/** The list of keyboard shortcuts, with a switch for those that are single characters. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
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
      <dl className="text-sm">
        {shortcuts.map(({ keys, action }) => (
          <div key={action} className="flex items-center justify-between gap-4 py-1">
            <dt>{action}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded-sm border border-line bg-sunken px-2.5 font-sans">
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
