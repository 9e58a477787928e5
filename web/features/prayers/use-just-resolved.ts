import { useEffect, useState } from 'react'
import { newlyResolved } from './newly-resolved.ts'
import type { Prayer } from '#web/data/prayers.ts'

/** How long a prayer that was resolved just now stays in view, in milliseconds: long enough to be glad about it. */
const MOMENT = 1100

const NONE: ReadonlySet<string> = new Set()

/**
 * The prayers that were resolved a moment ago, wherever that was done. Another one within the moment prolongs it for all:
 * no row moves away while somebody goes through the list.
 */
export function useJustResolved(prayers: readonly Prayer[]): ReadonlySet<string> {
  const [state, setState] = useState({ prayers, moments: NONE })
  if (state.prayers !== prayers) {
    const started = newlyResolved(state.prayers, prayers)
    setState({
      prayers,
      moments: started.length > 0 ? new Set([...state.moments, ...started]) : state.moments,
    })
  }

  const { moments } = state
  useEffect(() => {
    if (moments.size === 0) return undefined
    const timer = setTimeout(() => setState((current) => ({ ...current, moments: NONE })), MOMENT)
    return () => clearTimeout(timer)
  }, [moments])

  return moments
}
