import { useState } from 'react'
import { useLocation } from 'wouter'
import { SIGN_IN } from '#web/lib/paths.ts'
import { currentRecovery, endRecovery } from '#web/lib/recovery.ts'
import { signOut } from '#web/lib/session.ts'

/** The way from a new password to the login: whom the link has signed in is signed out. */
export function useLeaveRecovery() {
  const [, navigate] = useLocation()
  const [leaving, setLeaving] = useState(false)
  const leave = async () => {
    setLeaving(true)
    if (currentRecovery().stage !== 'open') await signOut()
    endRecovery()
    navigate(SIGN_IN)
  }
  return { leaving, leave: () => void leave() }
}
