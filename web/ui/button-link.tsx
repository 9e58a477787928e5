import type { ComponentProps } from 'react'
import { type ButtonVariant, buttonStyle } from './button-style.ts'
import { classNames } from './class-names.ts'

interface ButtonLinkProps extends ComponentProps<'a'> {
  variant?: ButtonVariant
}

/** A link that looks like a button. Inside a router's link, use that one's `asChild`. */
export function ButtonLink({ variant = 'secondary', className, children, ...rest }: ButtonLinkProps) {
  return (
    <a {...rest} className={buttonStyle(variant, className)}>
      {children}
    </a>
  )
}

const PILL =
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
