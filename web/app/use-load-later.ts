import { useEffect } from 'react'
import { useSync } from '#web/data/rows.ts'
import { whenIdle } from '#web/lib/loading/when-idle.ts'

/**
 * Loads what is needed later, once the first rows are there (or it is known that there are none) and the browser is idle. Before
 * that, it would delay these rows on a slow connection.
 *
 * @param load the same function in every render
 */
export function useLoadLater(load: () => void): void {
  const hasRows = useSync((sync) => sync.status().complete || sync.rows('prayers').length > 0, false)
  useEffect(() => (hasRows ? whenIdle(load) : undefined), [hasRows, load])
}
