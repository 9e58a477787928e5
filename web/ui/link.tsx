import type { ComponentProps } from 'react'
import { type ButtonVariant, buttonStyle } from './button.tsx'
import { classNames } from './class-names.ts'

/** The class names of a link in running text, or of a button that looks like one. */
export const TEXT_LINK =
  'rounded-sm font-medium text-accent underline decoration-line-strong underline-offset-4 transition-colors ' +
  'hover:decoration-current'

interface ButtonLinkProps extends ComponentProps<'a'> {
  variant?: ButtonVariant
}

/** A link that looks like a button. */
export function ButtonLink({ variant = 'secondary', className, children, ...rest }: ButtonLinkProps) {
  return (
    <a {...rest} className={buttonStyle(variant, className)}>
      {children}
    </a>
  )
}

/** The class names of a `PillLink`, for a button beside one. */
export const PILL =
  'inline-flex min-h-11 items-center gap-2 rounded-full border border-line bg-surface px-4 py-2 text-sm font-medium ' +
  'text-accent shadow-card transition-colors hover:border-line-strong hover:bg-sunken'

/** A link to a neighbouring screen. */
export function PillLink({ className, children, ...rest }: ComponentProps<'a'>) {
  return (
    <a {...rest} className={classNames(PILL, className)}>
      {children}
    </a>
  )
}
