import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: string
}

/** A checkbox; the whole line can be clicked. */
export function Checkbox({ label, className, ...rest }: CheckboxProps) {
  return (
    <label className={classNames('flex min-h-11 items-center gap-3 text-base', className)}>
      <input {...rest} type="checkbox" className="size-5 shrink-0 cursor-[inherit] accent-accent" />
      {label}
    </label>
  )
}

interface ChoicesProps {
  /** What can be chosen, for screen readers. */
  label: string
  children: ReactNode
}

/** Some choices side by side. */
export function Choices({ label, children }: ChoicesProps) {
  return (
    <div role="group" aria-label={label} className="flex flex-wrap gap-1.5">
      {children}
    </div>
  )
}

interface ChoiceProps extends ComponentProps<'button'> {
  chosen: boolean
}

/** A choice among others, which looks like `ChoiceInput`. */
export function Choice({ chosen, className, ...rest }: ChoiceProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-pressed={chosen}
      className={classNames(
        'min-h-11 min-w-11 rounded-xl border px-2.5 text-sm transition-colors',
        chosen
          ? 'border-accent bg-accent-soft font-medium text-accent forced-colors:border-4'
          : 'border-line-strong bg-field hover:bg-sunken',
        className,
      )}
    />
  )
}

interface ChoiceInputProps extends ComponentProps<'input'> {
  type: 'radio' | 'checkbox'
}

/** A radio button or a checkbox that looks like a button; the input itself is not visible. */
export function ChoiceInput({ children, ...rest }: ChoiceInputProps) {
  return (
    <label
      className={
        'relative inline-flex min-h-11 max-w-full min-w-14 cursor-pointer items-center justify-center rounded-xl border ' +
        'border-line-strong bg-field px-4 py-1 transition-colors hover:bg-sunken has-checked:border-accent ' +
        'has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent has-focus-visible:outline-2 ' +
        'has-focus-visible:outline-offset-2 has-focus-visible:outline-focus forced-colors:has-checked:border-4'
      }
    >
      <input {...rest} className="absolute inset-0 cursor-[inherit] opacity-0" />
      {children}
    </label>
  )
}
