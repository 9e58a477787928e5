import { useEffect, useState } from 'react'

/** After this many milliseconds the way back to the dashboard shines. */
const SHINE_DELAY = 300

/**
 * After a person's first category, while there are no prayers yet, the way back to the dashboard shines: that is where
 * to go on. It stops when no category is left.
 */
export function useShine(categoryCount: number) {
  const [due, setDue] = useState(false)
  const [shining, setShining] = useState(false)
  if (categoryCount === 0 && shining) setShining(false)

  useEffect(() => {
    if (!due) return undefined
    const timer = setTimeout(() => {
      setDue(false)
      setShining(true)
    }, SHINE_DELAY)
    return () => clearTimeout(timer)
  }, [due])

  return { shining, shineSoon: () => setDue(true) }
}
