import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { CheckIcon } from './icons.tsx'

interface TickCircleProps {
  checked: boolean
  className?: string | false
  children?: ReactNode
}

/** The picture in a button that is pressed when something is done: an open ring, or a golden one with a tick. */
export function TickCircle({ checked, className, children }: TickCircleProps) {
  return (
    <span
      className={classNames(
        'relative flex size-6 shrink-0 items-center justify-center rounded-full border-2 transition-colors duration-calm',
        checked ? 'border-gold-bright bg-gold-bright text-surface' : 'border-line-strong text-transparent',
        className,
      )}
    >
      {children}
      <CheckIcon className={classNames('size-4', !checked && 'forced-colors:invisible')} />
    </span>
  )
}
