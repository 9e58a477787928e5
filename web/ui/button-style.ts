import { classNames } from './class-names.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'ghost'

const SHAPE =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-md border px-4 py-2 text-center text-base ' +
  'font-medium leading-snug transition-colors select-none aria-disabled:opacity-60 disabled:opacity-60'

const VARIANTS: Record<ButtonVariant, string> = {
  primary:
    'border-accent-fill bg-accent-fill text-on-accent not-disabled:hover:border-accent-fill-hover not-disabled:hover:bg-accent-fill-hover',
  secondary: 'border-line-strong bg-surface text-ink not-disabled:hover:bg-sunken',
  danger:
    'border-danger bg-danger text-on-danger not-disabled:hover:border-danger-hover not-disabled:hover:bg-danger-hover',
  ghost: 'border-transparent text-accent not-disabled:hover:bg-sunken',
}

/** The look of a button, for whatever element carries it. */
export function buttonStyle(variant: ButtonVariant, className?: string): string {
  return classNames(SHAPE, VARIANTS[variant], className)
}
