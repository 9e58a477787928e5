import { useEffect } from 'react'
import { useSync } from '#web/data/rows.ts'
import { whenIdle } from '#web/lib/loading/when-idle.ts'

/**
 * Loads what is needed later, once the lists are there and the browser is idle. On a slow connection, it would delay the
 * first rows, for which the user is waiting.
 *
 * @param load the same function in every render
 */
export function useLoadLater(load: () => void): void {
  const hasRows = useSync((sync) => sync.status().complete || sync.rows('prayers').length > 0, false)
  useEffect(() => (hasRows ? whenIdle(load) : undefined), [hasRows, load])
}
