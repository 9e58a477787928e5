import type { ReactNode } from 'react'

/** The class names of a row of buttons: on phones as wide as the screen. */
export const SECTION_BUTTONS = 'flex flex-wrap gap-3 max-sm:*:flex-auto'

interface SettingsSectionProps {
  id: string
  title: string
  /** Paragraphs about what the section is for. */
  text: ReactNode
  children: ReactNode
}

/** A part of a settings screen: its purpose, and its controls. */
export function SettingsSection({ id, title, text, children }: SettingsSectionProps) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4 px-4 py-5 sm:p-6">
      <div className="flex max-w-prose flex-col gap-2">
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        <div className="flex flex-col gap-2 text-ink-soft">{text}</div>
      </div>
      {children}
    </section>
  )
}
