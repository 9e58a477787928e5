import { useEffect, useState } from 'react'

/** After leaving Reorder Mode, its button is back after this many milliseconds: when the bottom bar has gone. */
const BUTTON_DELAY = 320

/** In Reorder Mode, leaving it, or out of it: then its button shows. */
type Mode = 'off' | 'on' | 'leaving'

export function useReorderMode() {
  const [mode, setMode] = useState<Mode>('off')

  useEffect(() => {
    if (mode !== 'leaving') return undefined
    const timer = setTimeout(() => setMode('off'), BUTTON_DELAY)
    return () => clearTimeout(timer)
  }, [mode])

  return {
    on: mode === 'on',
    buttonShown: mode === 'off',
    enter: () => setMode('on'),
    leave: () => setMode('leaving'),
  }
}
