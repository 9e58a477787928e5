import { useEffect, useState } from 'react'
import { signInWithX } from './x-sign-in.ts'

/** The way to X: whether the person is on it, and how to set out. */
export function useLeavingForX(onError: (error: string | null) => void) {
  const [leaving, setLeaving] = useState(false)
  useEffect(() => {
    // Coming back with the browser's button finds the page as it was left.
    const comeBack = (event: PageTransitionEvent) => {
      if (event.persisted) setLeaving(false)
    }
    addEventListener('pageshow', comeBack)
    return () => removeEventListener('pageshow', comeBack)
  }, [])
  const leave = async () => {
    onError(null)
    setLeaving(true)
    const error = await signInWithX()
    if (error === null) return
    onError(error)
    setLeaving(false)
  }
  return { leaving, leave: () => void leave() }
}
