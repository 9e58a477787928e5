import { useEffect, useState } from 'react'
import { whenIdle } from './idle-queue.ts'

const STEP = 60

/**
 * How many of a long list's rows to draw: a few at once, so that the first screen is there at once, then all the others
 * in idle moments. All rows end up in the page, so that finding in the page and moving by keyboard reach them.
 */
export function useGrowingLimit(total: number, first: number): number {
  const [limit, setLimit] = useState(first)
  // One more than there are: a row that is added must not push the last one out.
  const enough = limit > total

  useEffect(() => {
    if (enough) return undefined
    let cancel = whenIdle(grow)
    function grow() {
      setLimit((current) => current + STEP)
      cancel = whenIdle(grow)
    }
    return () => cancel()
  }, [enough])

  return limit
}
