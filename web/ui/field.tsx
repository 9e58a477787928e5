import { type ReactNode, useId } from 'react'

export interface FieldText {
  label: string
  /** What is wrong with the entry, said beside it. */
  error?: string | null | undefined
  /** Something worth knowing before typing. */
  hint?: ReactNode
}

/** What a control needs to belong to its label and messages. */
export interface FieldWiring {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

interface FieldProps extends FieldText {
  id?: string | undefined
  /** Said when no more can be typed. */
  limit?: string | null
  children: (wiring: FieldWiring) => ReactNode
}

export const CONTROL =
  'w-full min-h-11 rounded-md border border-line-strong bg-field px-3 py-2 text-base text-ink transition-colors ' +
  'hover:border-ink-faint aria-invalid:border-danger disabled:opacity-60'

/** A label, its control, and below it what there is to say: error, limit or hint. */
export function Field({ id, label, error, hint, limit, children }: FieldProps) {
  const generated = useId()
  const controlId = id ?? generated
  const messages = {
    error: error ? `${controlId}-error` : null,
    limit: limit ? `${controlId}-limit` : null,
    hint: hint && !error ? `${controlId}-hint` : null,
  }
  const described = [messages.error, messages.limit, messages.hint].filter((part) => part !== null).join(' ')
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={controlId} className="text-sm font-medium text-ink">
        {label}
      </label>
      {children({
        id: controlId,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {messages.error && (
        <p id={messages.error} role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      {messages.limit && (
        <p id={messages.limit} role="status" className="text-sm text-ink-soft">
          {limit}
        </p>
      )}
      {messages.hint && (
        <p id={messages.hint} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  )
}
