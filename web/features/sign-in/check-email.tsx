import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { SIGN_IN } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { AuthCard } from './auth-card.tsx'

/** A mail is on its way; the rest happens there. */
export function CheckEmail({ children }: { children: ReactNode }) {
  const [, navigate] = useLocation()
  return (
    <AuthCard title="Check Your Email" text={children} takesFocus>
      <Button onClick={() => navigate(SIGN_IN)}>Back to Login</Button>
    </AuthCard>
  )
}
