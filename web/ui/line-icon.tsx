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

/** Praying hands. */
export const PrayIcon = lineIcon(
  'M12 5v10.5M12 5c-.3-1.3-2-1.4-2.4 0L8 12l-3 3.5V20h3.5L12 15.5l3.5 4.5H19v-4.5L16 12l-1.6-7c-.4-1.4-2.1-1.3-2.4 0',
)

/** Rays of light, for answered prayers and for hope. */
export const LightIcon = lineIcon(
  'M12 3.5v3M12 17.5v3M3.5 12h3M17.5 12h3M6 6l2 2M16 16l2 2M18 6l-2 2M8 16l-2 2',
  { children: <circle cx="12" cy="12" r="2.6" /> },
)

/** A closed lock. */
export const LockIcon = lineIcon('M8 11V8a4 4 0 0 1 8 0v3M5.5 11h13v8.5h-13z')
