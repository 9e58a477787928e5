import type { ReactNode } from 'react'
import { textSize, theme } from '#web/lib/appearance/appearance.ts'
import { opensWithToday } from '#web/lib/navigation/navigation-state.ts'
import { type Store, useStore } from '#web/lib/storage/store.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { ChoiceInput } from '#web/ui/choices.tsx'
import { SettingsSection } from './settings-section.tsx'

/** How the app looks and opens on this device. */
export function AppearanceSections() {
  return (
    <>
      <StoredChoice
        id="theme"
        title="Theme"
        text="“System” follows your device, which may be dark at night."
        store={theme}
        options={[
          [null, 'System'],
          ['light', 'Light'],
          ['dark', 'Dark'],
        ]}
      />
      <StoredChoice
        id="text-size"
        title="Text size"
        text="On top of the size that your browser is set to."
        store={textSize}
        options={[
          [null, 'Normal'],
          ['large', 'Large'],
          ['larger', 'Larger'],
        ]}
      >
        <Preview />
      </StoredChoice>
      <StoredChoice
        id="open-with"
        title="Open with"
        text="Where you land when you open the app or sign in."
        store={opensWithToday}
        options={[
          [null, 'Prayers'],
          [true, 'Today'],
        ]}
      />
    </>
  )
}

interface StoredChoiceProps<T> {
  id: string
  title: string
  text: ReactNode
  store: Store<T>
  /** Values with their labels. */
  options: readonly (readonly [NoInfer<T>, string])[]
  /** Shown below the options. */
  children?: ReactNode
}

/** A choice that takes effect at once. */
function StoredChoice<T>({ id, title, text, store, options, children }: StoredChoiceProps<T>) {
  const chosen = useStore(store)
  const announce = useAnnounce()
  const choose = (value: T, label: string, input: HTMLElement) => {
    const { top } = input.getBoundingClientRect()
    store.set(value)
    // What was pressed stays where it is, in whichever size the texts above it are now.
    const moved = input.getBoundingClientRect().top - top
    if (moved !== 0) scrollBy({ top: moved, behavior: 'instant' })
    announce(`${title}: ${label}`, { quiet: true })
  }
  return (
    <SettingsSection id={id} title={title} text={<p>{text}</p>}>
      <fieldset aria-labelledby={id} className="flex min-w-0 flex-wrap gap-2">
        {options.map(([value, label]) => (
          <ChoiceInput
            key={label}
            type="radio"
            name={id}
            checked={value === chosen}
            onChange={({ currentTarget }) => choose(value, label, currentTarget)}
          >
            {label}
          </ChoiceInput>
        ))}
      </fieldset>
      {children}
    </SettingsSection>
  )
}

/** What the choices look like: a prayer as on its card. */
function Preview() {
  return (
    <div aria-hidden="true" className="max-w-form rounded-lg border border-line bg-paper px-4 py-3">
      <p className="font-serif text-lg leading-snug">Mei-Ling</p>
      <p className="text-ink-soft">For a calm night before her exam, and for her teachers.</p>
      <p className="mt-1 text-sm text-ink-faint">Due Thursday</p>
    </div>
  )
}
