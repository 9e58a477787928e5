import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { type Announcement, Toast } from './toast.tsx'

export interface AnnouncementOptions {
  /** Takes back what is announced. */
  undo?: () => void
  /** Name of the button that does; `Undo` unless given. */
  label?: string
}

type Announce = (message: string, options?: AnnouncementOptions) => void

const AnnounceContext = createContext<Announce>(() => undefined)

/** Says, quietly and for all, what just happened. */
export function useAnnounce(): Announce {
  return useContext(AnnounceContext)
}

/** Holds the latest announcement, at the foot of the page and in a polite live region. */
export function AnnouncementProvider({ children }: { children: ReactNode }) {
  const [latest, setLatest] = useState<Announcement | null>(null)
  const announce = useCallback<Announce>((message, options = {}) => {
    setLatest((previous) => ({
      number: (previous?.number ?? 0) + 1,
      message,
      action: options.undo ? { label: options.label ?? 'Undo', run: options.undo } : null,
      visible: true,
    }))
  }, [])
  const hide = useCallback(() => setLatest((shown) => shown && { ...shown, visible: false }), [])
  return (
    <AnnounceContext value={announce}>
      {children}
      <Toast announcement={latest} onHide={hide} />
    </AnnounceContext>
  )
}
