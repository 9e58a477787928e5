import type { ComponentProps, MouseEvent } from 'react'
import { type ButtonVariant, buttonStyle } from './button-style.ts'
import { Spinner } from './spinner.tsx'

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  /** Work is under way: presses are ignored, and the focus stays where it is. */
  loading?: boolean
}

/** A button. It is of type `button` unless told otherwise. */
export function Button({
  variant = 'secondary',
  loading = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
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
      onClick={press}
    >
      {loading && <Spinner />}
      {children}
    </button>
  )
}
