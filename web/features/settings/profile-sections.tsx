import { useEffect } from 'react'
import { useConnection } from '#web/data/sync-status.ts'
import { refreshUser } from '#web/lib/session/change-account.ts'
import { useUser } from '#web/lib/session/session.ts'
import { EmailSection } from './email-section.tsx'
import { NameSection } from './name-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { TwoFactorSection } from './two-factor-section.tsx'

/** The name, the address, the password, and two-factor sign-in. */
export function ProfileSections() {
  const user = useUser()
  const isConnected = useConnection() === 'connected'
  useEffect(() => {
    // Another device may have changed them. Otherwise what this one knows is shown.
    if (isConnected) refreshUser().catch(() => undefined)
  }, [isConnected])
  return (
    <>
      <NameSection user={user} />
      <EmailSection user={user} />
      <PasswordSection user={user} />
      <TwoFactorSection user={user} />
    </>
  )
}
