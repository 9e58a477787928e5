import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export interface IconProps {
  className?: string
  /** What it says to screen readers; without it, it is hidden from them. */
  label?: string
}

interface Drawing {
  strokeWidth?: number
  /** What is drawn besides the path. */
  children?: ReactNode
}

/**
 * Returns an icon of lines, in the colour of the text.
 *
 * @param path SVG path data, in a box of 24 x 24
 */
export function lineIcon(path: string, { strokeWidth = 1.75, children }: Drawing = {}) {
  return function LineIcon({ className, label }: IconProps) {
    return (
      <svg
        viewBox="0 0 24 24"
        className={classNames('size-5 shrink-0', className)}
        fill="none"
        stroke="currentColor"
        strokeWidth={strokeWidth}
        strokeLinecap="round"
        strokeLinejoin="round"
        role={label === undefined ? undefined : 'img'}
        aria-label={label}
        aria-hidden={label === undefined || undefined}
        focusable="false"
      >
        {children}
        <path d={path} />
      </svg>
    )
  }
}

// If the sign-in screen uses one icon of a file, all of them are part of the first download. So its icons are here.

export const AlertIcon = lineIcon('M12 7.5v5.5M12 16.3h.01', { children: <circle cx="12" cy="12" r="8.5" /> })

export const EyeIcon = lineIcon('M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z', {
  children: <circle cx="12" cy="12" r="2.8" />,
})

export const EyeOffIcon = lineIcon(
  'M6.3 7.2C3.8 9 2.5 12 2.5 12S6 18.5 12 18.5c1.9 0 3.5-.6 4.9-1.4M9.5 5.9c.8-.3 1.6-.4 2.5-.4 6 0 9.5 6.5 9.5 6.5s-.8 1.5-2.3 3.1M9.9 10.2a2.8 2.8 0 0 0 3.9 3.9M4 4l16 16',
)
