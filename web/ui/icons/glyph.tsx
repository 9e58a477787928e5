import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'

export interface IconProps {
  className?: string
}

interface GlyphProps extends IconProps {
  children: ReactNode
}

/** The frame all line icons share; they take the colour of the text and are silent for screen readers. */
export function Glyph({ className, children }: GlyphProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={classNames('size-5 shrink-0', className)}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  )
}
