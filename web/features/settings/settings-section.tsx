import { type ReactNode, useEffect } from 'react'
import { InlineError } from '#web/ui/fields.tsx'
import type { Form } from '#web/ui/use-form.ts'

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
        <h2 id={id} tabIndex={-1} className="text-xl">
          {title}
        </h2>
        <div className="flex flex-col gap-2 text-ink-soft">{text}</div>
      </div>
      {children}
    </section>
  )
}

interface SectionFormProps {
  form: Form
  /** Whether its first field takes the focus when it appears. */
  takesFocus?: boolean
  buttons: ReactNode
  children: ReactNode
}

/** A form in a section: its fields, what went wrong, and its buttons. */
export function SectionForm({ form, takesFocus = false, buttons, children }: SectionFormProps) {
  const { ref } = form.props
  useEffect(() => {
    if (!takesFocus) return
    const field = ref.current?.querySelector<HTMLInputElement | HTMLSelectElement>(
      'input:not([hidden]), select',
    )
    field?.focus()
    if (field instanceof HTMLInputElement) field.select()
    // Its buttons too, above the navigation of a phone.
    ref.current?.scrollIntoView({ block: 'nearest' })
  }, [takesFocus, ref])
  return (
    <form {...form.props} className="flex max-w-form flex-col gap-4">
      {children}
      {/* Here it is seen: beside what was pressed. */}
      {form.error && <InlineError>{form.error}</InlineError>}
      <div className={SECTION_BUTTONS}>{buttons}</div>
    </form>
  )
}
