import { classNames } from './class-names.ts'
import { CheckIcon } from './page-icons.tsx'

interface TickCircleProps {
  checked: boolean
  className?: string | false
}

/** The picture in a button that records that a prayer was prayed: an open ring, or a golden one with a tick. */
export function TickCircle({ checked, className }: TickCircleProps) {
  return (
    <span
      className={classNames(
        'flex size-6 shrink-0 items-center justify-center rounded-full border-2 transition-colors duration-calm',
        checked ? 'border-gold-bright bg-gold-bright text-surface' : 'border-line-strong text-transparent',
        className,
      )}
    >
      <CheckIcon className={classNames('size-4', !checked && 'forced-colors:invisible')} />
    </span>
  )
}
