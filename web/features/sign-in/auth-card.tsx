import { type ReactNode, useEffect, useRef } from 'react'
import { Card } from '#web/ui/card.tsx'
import { Spinner } from '#web/ui/loading.tsx'

interface AuthCardProps {
  title: string
  text?: ReactNode
  /** Moves the focus to the title, because the card replaces the one that had the focus. */
  takesFocus?: boolean
  children: ReactNode
}

/** The card that contains every sign-in screen. */
export function AuthCard({ title, text, takesFocus = false, children }: AuthCardProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  return (
    <Card className="flex w-full max-w-form flex-col gap-5 rounded-xl p-6 shadow-raised sm:px-9 sm:py-7">
      <header>
        <h1 ref={heading} tabIndex={-1} className="text-3xl tracking-tight">
          {title}
        </h1>
        {text && <p className="mt-1 text-ink-soft wrap-anywhere">{text}</p>}
      </header>
      {children}
    </Card>
  )
}

/** `/auth/callback`, until the session is loaded. */
export function CompletingSignIn() {
  return (
    <Card className="flex w-full max-w-form items-center justify-center gap-4 rounded-xl p-9 shadow-raised">
      <Spinner className="text-accent" />
      <h1 className="text-xl">Completing sign in...</h1>
    </Card>
  )
}
