import { type ReactNode, useEffect, useRef } from 'react'
import { Card } from '#web/ui/card.tsx'

interface AuthCardProps {
  title: string
  text?: ReactNode
  /** It takes the place of what the person was at: the focus goes to its title. */
  takesFocus?: boolean
  children: ReactNode
}

/** The sheet that account matters are settled on. */
export function AuthCard({ title, text, takesFocus = false, children }: AuthCardProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  return (
    <Card className="flex w-full max-w-form flex-col gap-6 rounded-xl p-6 shadow-raised sm:p-9">
      <header>
        <h1 ref={heading} tabIndex={-1} className="text-3xl tracking-tight">
          {title}
        </h1>
        {text && <p className="mt-2 text-ink-soft wrap-anywhere">{text}</p>}
      </header>
      {children}
    </Card>
  )
}
