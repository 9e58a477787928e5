import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { InfoIcon } from './icons.tsx'
import { AlertIcon } from './line-icon.tsx'

interface BannerProps {
  tone: 'error' | 'notice'
  children: ReactNode
  onDismiss?: (() => void) | undefined
  onRetry?: (() => void) | undefined
  /** Buttons before these. */
  actions?: readonly BannerAction[]
}

interface BannerAction {
  label: string
  run: () => void
}

/** A message above the content. Screen readers announce errors assertively and notices politely. */
export function Banner({ tone, children, onDismiss, onRetry, actions }: BannerProps) {
  const Icon = tone === 'error' ? AlertIcon : InfoIcon
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={classNames(
        'flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md border px-4 py-2',
        tone === 'error'
          ? 'border-danger-line bg-danger-soft text-danger'
          : 'border-line bg-info-soft text-info',
      )}
    >
      <Icon />
      <div className="min-w-0 flex-1 basis-36 py-1.5 text-sm break-words">{children}</div>
      <div className="-mr-2 ml-auto flex gap-1">
        {actions?.map(({ label, run }) => (
          <Button key={label} variant="ghost" className="text-current" onClick={run}>
            {label}
          </Button>
        ))}
        {onRetry && (
          <Button variant="ghost" className="text-current" onClick={onRetry}>
            Try again
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

export interface ShownError {
  message: string
  /** Null if trying again would not help. */
  retry: (() => void) | null
  dismiss: () => void
  /** What else can be done about it. */
  action?: BannerAction | undefined
}

interface ErrorBannerProps {
  /** Null entries are ignored. */
  errors: readonly (ShownError | null)[]
  /** What else can be done about any of them. */
  action?: BannerAction | false
}

/** One banner for several errors; its buttons retry and dismiss all of them. Shows each distinct message once. */
export function ErrorBanner({ errors, action }: ErrorBannerProps) {
  const shown = errors.filter((error) => error !== null)
  if (shown.length === 0) return null
  const retries = shown.flatMap((error) => error.retry ?? [])
  const messages = [...new Set(shown.map((error) => error.message))]
  return (
    <Banner
      tone="error"
      onRetry={retries.length > 0 ? () => retries.forEach((retry) => retry()) : undefined}
      actions={[action || [], ...shown.map((error) => error.action ?? [])].flat()}
      onDismiss={() => shown.forEach((error) => error.dismiss())}
    >
      {messages.map((message) => (
        <p key={message}>{message}</p>
      ))}
    </Banner>
  )
}

/** Keeps a banner in view while the page is scrolled: in high windows, below the bar at the top. */
export function StickyBanner({ children }: { children: ReactNode }) {
  return (
    <div className="top-2 z-15 not-empty:sticky empty:hidden tall:top-[calc(var(--spacing-header)+--spacing(2))] print:hidden">
      {children}
    </div>
  )
}
