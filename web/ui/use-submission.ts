import { useCallback, useEffect, useRef, useState } from 'react'

/** Resolves to `{ busy: true }` if another screen or page is about to replace the form. */
type Submission = () => Promise<void | { busy: boolean }>

/** Submits a form: while a submission is running, further ones are ignored, even before the button is disabled. */
export function useSubmission() {
  const phase = useRef<'idle' | 'running' | 'leaving'>('idle')
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    // The browser's back button may restore the page in the state in which it was left.
    const resetOnReturn = (event: PageTransitionEvent) => {
      if (!event.persisted || phase.current !== 'leaving') return
      phase.current = 'idle'
      setBusy(false)
    }
    addEventListener('pageshow', resetOnReturn)
    return () => removeEventListener('pageshow', resetOnReturn)
  }, [])
  const submit = useCallback(async (run: Submission): Promise<void> => {
    if (phase.current !== 'idle') return
    phase.current = 'running'
    setBusy(true)
    let leaving = false
    try {
      const result = await run()
      leaving = typeof result === 'object' && result.busy
    } finally {
      phase.current = leaving ? 'leaving' : 'idle'
      setBusy(leaving)
    }
  }, [])
  return { busy, submit }
}
