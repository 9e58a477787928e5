import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { AlertIcon } from './icons/alert-icon.tsx'
import { InfoIcon } from './icons/status-icons.tsx'

interface BannerProps {
  tone: 'error' | 'notice'
  children: ReactNode
  onDismiss?: (() => void) | undefined
  onRetry?: (() => void) | undefined
  retryLabel?: string
  className?: string
}

/** A message above the content. Errors are announced at once, notices when the reader pauses. */
export function Banner({
  tone,
  children,
  onDismiss,
  onRetry,
  retryLabel = 'Try again',
  className,
}: BannerProps) {
  const Icon = tone === 'error' ? AlertIcon : InfoIcon
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={classNames(
        'flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md border px-4 py-2',
        tone === 'error'
          ? 'border-danger-line bg-danger-soft text-danger'
          : 'border-gold-line bg-gold-soft text-gold',
        className,
      )}
    >
      <Icon />
      <div className="min-w-0 flex-1 basis-48 py-1.5 text-sm break-words">{children}</div>
      <div className="-mr-2 ml-auto flex gap-1">
        {onRetry && (
          <Button variant="ghost" className="text-current" onClick={onRetry}>
            {retryLabel}
          </Button>
        )}
        {onDismiss && (
          <Button variant="ghost" className="text-current" onClick={onDismiss}>
            Dismiss
          </Button>
        )}
      </div>
    </div>
  )
}
