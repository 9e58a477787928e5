import type { ReactNode } from 'react'

/** The class names of a row of buttons: as wide as the column, except where that would be very wide. */
export const SECTION_BUTTONS = 'flex flex-wrap gap-3 max-sm:*:flex-auto lg:*:flex-auto'

interface SettingsSectionProps {
  id: string
  title: string
  /** Paragraphs about what the section is for. */
  text: ReactNode
  children: ReactNode
}

/** A part of the account screen: its purpose and, on wide screens beside it, its controls. */
export function SettingsSection({ id, title, text, children }: SettingsSectionProps) {
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-12 gap-y-4 px-4 py-5 sm:p-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,4fr)] lg:p-8"
    >
      <div className="flex max-w-prose flex-col gap-2">
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        <div className="flex flex-col gap-2 text-ink-soft">{text}</div>
      </div>
      <div className="flex min-w-0 flex-col justify-center gap-4">{children}</div>
    </section>
  )
}
