import { useState } from 'react'
import { signOut } from '#web/lib/session.ts'

/** Signs out, once. The whole app hears that the session is gone, and goes to the sign-in screen. */
export function useSignOut() {
  const [busy, setBusy] = useState(false)
  const start = async () => {
    if (busy) return
    setBusy(true)
    await signOut()
    setBusy(false)
  }
  return { busy, signOut: () => void start() }
}
