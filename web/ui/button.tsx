import type { ComponentProps, MouseEvent } from 'react'
import { classNames } from './class-names.ts'
import { Spinner } from './loading.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'ghost'

const BUTTON =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-md border px-4 py-2 text-center text-base ' +
  'font-medium leading-snug transition-colors select-none aria-disabled:opacity-60 disabled:opacity-60'

const BUTTON_VARIANTS: Record<ButtonVariant, string> = {
  primary:
    'border-accent-fill bg-accent-fill text-on-accent not-disabled:hover:border-accent-fill-hover not-disabled:hover:bg-accent-fill-hover',
  secondary: 'border-line-strong bg-surface text-ink not-disabled:hover:bg-sunken',
  danger:
    'border-danger-fill bg-danger-fill text-on-danger not-disabled:hover:border-danger-fill-hover not-disabled:hover:bg-danger-fill-hover',
  ghost: 'border-transparent text-accent not-disabled:hover:bg-sunken',
}

/** The class names of a button, for elements other than `<button>`. */
export function buttonStyle(variant: ButtonVariant, className?: string): string {
  return classNames(BUTTON, BUTTON_VARIANTS[variant], className)
}

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  /** Shows a spinner and ignores clicks, but keeps the focus. */
  loading?: boolean
}

/** A button with text. Its `type` is `button` by default. */
export function Button({
  variant = 'secondary',
  loading = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (loading) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={loading || undefined}
      aria-busy={loading || undefined}
      className={buttonStyle(variant, className)}
      onClick={handleClick}
    >
      {loading && <Spinner />}
      {children}
    </button>
  )
}

export type IconButtonVariant = 'default' | 'primary' | 'success' | 'danger' | 'info'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'title' | 'aria-label'> {
  /** Used as tooltip and as accessible name. */
  label: string
  /** Follows the label in the accessible name, so that each of several equal buttons can be named. */
  detail?: string
  variant?: IconButtonVariant
}

const ICON_BUTTON =
  'inline-flex size-finger shrink-0 items-center justify-center rounded-md transition-colors disabled:opacity-45 ' +
  'aria-disabled:opacity-45'

const ICON_BUTTON_VARIANTS: Record<IconButtonVariant, string> = {
  default: 'text-ink-faint not-disabled:hover:bg-sunken not-disabled:hover:text-ink',
  primary: 'text-accent not-disabled:hover:bg-accent-soft',
  success: 'text-success not-disabled:hover:bg-success-soft',
  danger: 'text-ink-faint not-aria-disabled:hover:bg-danger-soft not-aria-disabled:hover:text-danger',
  info: 'text-info not-disabled:hover:bg-info-soft',
}

/** The class names of a button with only an icon, for elements other than an `IconButton`. */
export const ICON_BUTTON_STYLE = `${ICON_BUTTON} ${ICON_BUTTON_VARIANTS.default}`

/** A button that shows only an icon and is large enough for touch. */
export function IconButton({
  label,
  detail,
  variant = 'default',
  className,
  children,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      title={label}
      aria-label={detail === undefined ? label : `${label} ${detail}`}
      className={classNames(ICON_BUTTON, ICON_BUTTON_VARIANTS[variant], className)}
    >
      {children}
    </button>
  )
}
