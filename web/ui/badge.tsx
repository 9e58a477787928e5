import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type BadgeTone = 'neutral' | 'gold' | 'info'

interface BadgeProps {
  tone?: BadgeTone
  className?: string
  children: ReactNode
}

const BADGE_TONES: Record<BadgeTone, string> = {
  neutral: 'border-line bg-sunken text-ink-soft',
  gold: 'border-gold-line bg-gold-soft text-gold',
  info: 'border-transparent bg-info-soft text-info',
}

/** A short label, such as a count or a state. */
export function Badge({ tone = 'neutral', className, children }: BadgeProps) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 rounded-full border px-2.5 py-0.5 text-xs font-medium whitespace-nowrap',
        BADGE_TONES[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}
