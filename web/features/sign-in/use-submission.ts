import { useRef, useState } from 'react'

/**
 * Sends a form once: while a submission is under way, further ones are ignored, however they come about.
 * `run` resolves to `stay busy` where the next screen is about to take over.
 */
export function useSubmission() {
  const underWay = useRef(false)
  const [busy, setBusy] = useState(false)
  const submit = async (run: () => Promise<'stay busy' | 'ready'>): Promise<void> => {
    if (underWay.current) return
    underWay.current = true
    setBusy(true)
    if ((await run()) === 'stay busy') return
    underWay.current = false
    setBusy(false)
  }
  return { busy, submit }
}
