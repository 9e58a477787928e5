import { classNames } from './class-names.ts'

/** A breathing bar in the place of what is on its way; give it the size of that by `className`. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      data-waiting
      className={classNames('block animate-breathe rounded-sm bg-sunken', className ?? 'h-4 w-full')}
    />
  )
}
