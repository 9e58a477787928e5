import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Resolves to `{ busy: true }` if another screen or page is about to replace the form. */
type Submission = () => Promise<void | { busy: boolean }>

/**
 * Submits a form: while a submission is running, further ones are ignored, even before the button is disabled, and until what it has
 * changed shows: the second click of a double click may come before its dialog closes, and would save the same again.
 */
export function useSubmission() {
  const phase = useRef<'idle' | 'running' | 'finished' | 'leaving'>('idle')
  const [busy, setBusy] = useState(false)
  const [finished, setFinished] = useState(0)
  useLayoutEffect(() => {
    if (finished > 0 && phase.current === 'finished') phase.current = 'idle'
  }, [finished])
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
      phase.current = leaving ? 'leaving' : 'finished'
      setBusy(leaving)
      setFinished((count) => count + 1)
    }
  }, [])
  return { busy, submit }
}
