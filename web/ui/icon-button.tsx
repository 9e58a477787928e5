import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

export type IconButtonVariant = 'default' | 'primary' | 'success' | 'danger' | 'info'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'title' | 'aria-label'> {
  /** What it does, as title and as name. */
  label: string
  variant?: IconButtonVariant
}

const VARIANTS: Record<IconButtonVariant, string> = {
  default: 'text-ink-faint not-disabled:hover:bg-sunken not-disabled:hover:text-ink',
  primary: 'text-accent not-disabled:hover:bg-accent-soft',
  success: 'text-success not-disabled:hover:bg-success-soft',
  danger: 'text-ink-faint not-disabled:hover:bg-danger-soft not-disabled:hover:text-danger',
  info: 'text-info not-disabled:hover:bg-info-soft',
}

/** A button that shows only an icon, as large as a finger needs. */
export function IconButton({ label, variant = 'default', className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      title={label}
      aria-label={label}
      className={classNames(
        'inline-flex size-finger shrink-0 items-center justify-center rounded-md border border-transparent',
        'transition-colors disabled:opacity-45 aria-disabled:opacity-45',
        VARIANTS[variant],
        className,
      )}
    >
      {children}
    </button>
  )
}
