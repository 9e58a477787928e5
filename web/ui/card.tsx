import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

/** A section on a surface of its own. */
export function Card({ className, children, ...rest }: ComponentProps<'section'>) {
  return (
    <section
      {...rest}
      className={classNames('rounded-lg border border-line bg-surface shadow-card', className)}
    >
      {children}
    </section>
  )
}
