import { useEffect, useState } from 'react'

/** How long a list stays after its last row has gone, in milliseconds, so that the row can leave in view. */
const EMPTY_HIDE_DELAY = 500

/** Whether the empty state shows: at once where there was nothing, after a while where the last row just left. */
export function useEmptied(empty: boolean): boolean {
  const [emptied, setEmptied] = useState(empty)
  if (!empty && emptied) setEmptied(false)

  useEffect(() => {
    if (!empty) return undefined
    const timer = setTimeout(() => setEmptied(true), EMPTY_HIDE_DELAY)
    return () => clearTimeout(timer)
  }, [empty])

  return empty && emptied
}
