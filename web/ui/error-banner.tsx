import { Banner } from './banner.tsx'

/** Something that went wrong, in words. */
export interface ShownError {
  message: string
  retry: (() => void) | null
  dismiss: () => void
}

interface ErrorBannerProps {
  errors: readonly (ShownError | null)[]
  className?: string
}

/** One banner for everything that went wrong at the same time: one press tries all of it again. */
export function ErrorBanner({ errors, className }: ErrorBannerProps) {
  const shown = errors.filter((error) => error !== null)
  if (shown.length === 0) return null
  const retries = shown.flatMap((error) => error.retry ?? [])
  const messages = [...new Set(shown.map((error) => error.message))]
  return (
    <Banner
      tone="error"
      {...(className && { className })}
      onRetry={retries.length > 0 ? () => retries.forEach((retry) => retry()) : undefined}
      onDismiss={() => shown.forEach((error) => error.dismiss())}
    >
      {messages.map((message) => (
        <p key={message}>{message}</p>
      ))}
    </Banner>
  )
}
