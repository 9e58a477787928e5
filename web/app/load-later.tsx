import { type ComponentType, useCallback, useEffect, useState } from 'react'
import { useSync } from '#web/data/rows.ts'
import { lazyChunk } from '#web/lib/loading/lazy-chunk.ts'
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

/** A component that is loaded, and shown, later. Without it, for example because there is no network, everything else works. */
export function laterComponent(importComponent: () => Promise<ComponentType>): ComponentType {
  const chunk = lazyChunk(importComponent)
  return function Later() {
    const [Shown, setShown] = useState<ComponentType | null>(() => chunk.loaded)
    const load = useCallback(() => {
      chunk.load().then(
        (Loaded) => setShown(() => Loaded),
        () => undefined,
      )
    }, [])
    useLoadLater(load)
    return Shown && <Shown />
  }
}
