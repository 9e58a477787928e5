import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'
import { type Announcement, Toast } from './toast.tsx'

export interface AnnouncementOptions {
  /** Takes back what is announced. */
  undo?: () => void
  /** Name of the button that does; `Undo` unless given. */
  label?: string
}

/** Returns what takes the announcement out of view again, for when it turned out not to be true. */
type Announce = (message: string, options?: AnnouncementOptions) => () => void

const AnnounceContext = createContext<Announce>(() => () => undefined)

/** Says, quietly and for all, what just happened. */
export function useAnnounce(): Announce {
  return useContext(AnnounceContext)
}

/** Holds the latest announcement, at the foot of the page and in a polite live region. */
export function AnnouncementProvider({ children }: { children: ReactNode }) {
  const [latest, setLatest] = useState<Announcement | null>(null)
  const count = useRef(0)
  const announce = useCallback<Announce>((message, options = {}) => {
    count.current += 1
    const number = count.current
    const action = options.undo ? { label: options.label ?? 'Undo', run: options.undo } : null
    setLatest({ number, message, action, visible: true })
    return () => setLatest((shown) => (shown?.number === number ? { ...shown, visible: false } : shown))
  }, [])
  const hide = useCallback(() => setLatest((shown) => shown && { ...shown, visible: false }), [])
  return (
    <AnnounceContext value={announce}>
      {children}
      <Toast announcement={latest} onHide={hide} />
    </AnnounceContext>
  )
}
