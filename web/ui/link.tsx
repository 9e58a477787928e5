import type { ComponentProps } from 'react'
import { type ButtonVariant, buttonStyle } from './button.tsx'

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
