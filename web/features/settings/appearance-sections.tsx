import type { ReactNode } from 'react'
import { textSize, theme } from '#web/lib/appearance/appearance.ts'
import { opensWithToday } from '#web/lib/navigation/navigation-state.ts'
import { type Store, useStore } from '#web/lib/storage/store.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Choice, Choices } from '#web/ui/choices.tsx'
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
      />
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
}

/** A choice that takes effect at once. */
function StoredChoice<T>({ id, title, text, store, options }: StoredChoiceProps<T>) {
  const chosen = useStore(store)
  const announce = useAnnounce()
  const choose = (value: T, label: string) => {
    if (value === chosen) return
    store.set(value)
    announce(`${title}: ${label}`)
  }
  return (
    <SettingsSection id={id} title={title} text={<p>{text}</p>}>
      <Choices label={title}>
        {options.map(([value, label]) => (
          <Choice key={label} chosen={value === chosen} onClick={() => choose(value, label)}>
            {label}
          </Choice>
        ))}
      </Choices>
    </SettingsSection>
  )
}
