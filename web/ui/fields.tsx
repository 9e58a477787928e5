import {
  type ComponentProps,
  type InputEvent,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useState,
} from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { AlertIcon, EyeIcon, EyeOffIcon } from './line-icon.tsx'

/** The class names of a text input, text area or select. */
export const CONTROL =
  'w-full min-h-11 rounded-md border border-line-strong bg-field px-3 py-2 text-base text-ink transition-colors ' +
  'hover:border-ink-faint aria-invalid:border-danger disabled:opacity-60'

export interface FieldText {
  label: string
  /** A validation error, shown below the control and announced. */
  error?: string | null | undefined
  /** Explains the field; replaced by the error if there is one. */
  hint?: ReactNode
}

interface FieldProps extends FieldText {
  id?: string | undefined
  /** Shown and announced when the maximum length is reached. */
  limit?: string | null
  children: (control: ControlProps) => ReactNode
}

/** Connects a control to its label and messages. */
interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** A label, its control, and the messages below it: error, limit, hint. */
export function Field({ id, label, error, hint, limit, children }: FieldProps) {
  const generatedId = useId()
  const controlId = id ?? generatedId
  const messageIds = {
    error: error ? `${controlId}-error` : null,
    limit: limit ? `${controlId}-limit` : null,
    hint: hint && !error ? `${controlId}-hint` : null,
  }
  const describedBy = Object.values(messageIds).filter((messageId) => messageId !== null)
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={controlId} className="text-sm font-medium text-ink">
        {label}
      </label>
      {children({
        id: controlId,
        'aria-describedby': describedBy.join(' ') || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {messageIds.error && (
        <p id={messageIds.error} role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      {messageIds.limit && (
        <p id={messageIds.limit} role="status" className="text-sm text-ink-soft">
          {limit}
        </p>
      )}
      {messageIds.hint && (
        <p id={messageIds.hint} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  )
}

/** The message for a text that has reached its maximum length, otherwise null. */
export function limitMessage(length: number, maxLength: number | undefined): string | null {
  if (maxLength === undefined || length < maxLength) return null
  return `You have reached the limit of ${maxLength.toLocaleString('en')} characters.`
}

interface TextFieldProps extends FieldText, ComponentProps<'input'> {}

/** A single line of text; its direction follows what is typed. */
export function TextField({ label, error, hint, id, className, onInput, ...rest }: TextFieldProps) {
  const [length, setLength] = useState(0)
  const handleInput = (event: InputEvent<HTMLInputElement>) => {
    setLength(event.currentTarget.value.length)
    onInput?.(event)
  }
  return (
    <Field id={id} label={label} error={error} hint={hint} limit={limitMessage(length, rest.maxLength)}>
      {(control) => (
        <input
          type="text"
          dir="auto"
          onKeyDown={submitOnCtrlEnter}
          {...rest}
          {...control}
          onInput={handleInput}
          className={classNames(CONTROL, className)}
        />
      )}
    </Field>
  )
}

interface TextAreaProps extends FieldText, ComponentProps<'textarea'> {}

/** An email address. */
export function EmailField(props: TextFieldProps) {
  return (
    <TextField
      type="email"
      name="email"
      required
      autoComplete="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  )
}

/** Several lines of text; it grows with them, and the direction follows what is typed. Enter starts a new line; with Ctrl or Cmd it submits the form. */
export function TextArea({ label, error, hint, id, rows = 2, className, onInput, ...rest }: TextAreaProps) {
  const [length, setLength] = useState(0)
  const handleInput = (event: InputEvent<HTMLTextAreaElement>) => {
    setLength(event.currentTarget.value.length)
    onInput?.(event)
  }
  return (
    <Field id={id} label={label} error={error} hint={hint} limit={limitMessage(length, rest.maxLength)}>
      {(control) => (
        <textarea
          dir="auto"
          rows={rows}
          onKeyDown={submitOnCtrlEnter}
          {...rest}
          {...control}
          onInput={handleInput}
          style={{ minBlockSize: `calc(${rows}lh + 1.125rem)` }}
          className={classNames(CONTROL, 'field-sizing-content max-h-[60dvh] resize-y', className)}
        />
      )}
    </Field>
  )
}

function submitOnCtrlEnter(event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

interface PasswordFieldProps extends FieldText, Omit<ComponentProps<'input'>, 'type'> {
  autoComplete: 'current-password' | 'new-password'
}

/** A password with a button to show it. */
export function PasswordField({ label, error, hint, id, className, ...rest }: PasswordFieldProps) {
  const [visible, setVisible] = useState(false)
  return (
    <Field id={id} label={label} error={error} hint={hint}>
      {(control) => (
        <div className="relative">
          <input
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...rest}
            {...control}
            type={visible ? 'text' : 'password'}
            className={classNames(CONTROL, 'pr-12', className)}
          />
          <IconButton
            label={visible ? 'Hide password' : 'Show password'}
            className="absolute inset-y-0 right-0 my-auto"
            onClick={() => setVisible(!visible)}
          >
            {visible ? <EyeOffIcon /> : <EyeIcon />}
          </IconButton>
        </div>
      )}
    </Field>
  )
}

/** An error message inside the form or card that it is about. */
export function InlineError({ children }: { children: ReactNode }) {
  return (
    <div
      role="alert"
      className="flex gap-3 rounded-md border border-danger-line bg-danger-soft px-4 py-3 text-sm text-danger"
    >
      <AlertIcon className="mt-0.5" />
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </div>
  )
}
