import { classNames } from './class-names.ts'

/** Hidden from screen readers: put a text beside it. */
export function Spinner({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={classNames('size-5 shrink-0 animate-spin', className)}
      fill="none"
      stroke="currentColor"
      strokeWidth={2.5}
      strokeLinecap="round"
      aria-hidden="true"
    >
      <circle cx="12" cy="12" r="9" opacity="0.25" />
      <path d="M21 12a9 9 0 0 0-9-9" />
    </svg>
  )
}

/** A placeholder bar for content that is loading; `className` sets its size. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      data-waiting
      className={classNames('block animate-breathe rounded-sm bg-sunken', className ?? 'h-4 w-full')}
    />
  )
}
