import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

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
