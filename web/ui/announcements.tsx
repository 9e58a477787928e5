import {
  createContext,
  type FocusEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'

export interface AnnouncementOptions {
  /** Adds a button that reverts what is announced. */
  undo?: () => void
  /** Text of that button, by default `Undo`. */
  label?: string
  /** A button for what may come next, before that one. */
  more?: Action | undefined
  /** Tells screen readers only, because everybody else sees what was done. */
  quiet?: boolean
  /** The page that is being left: the message belongs to the one that comes next. */
  leaving?: string
}

interface Action {
  label: string
  run: () => void
}

/** An announcement that was made. */
export interface MadeAnnouncement {
  /** Whether it is still shown. */
  isShown: () => boolean
  /** Hides it, and tells screen readers that it turned out to be wrong. */
  withdraw: () => void
}

type Announce = (message: string, options?: AnnouncementOptions) => MadeAnnouncement

interface Announcement {
  /** Makes repeated messages distinct, so that screen readers announce each of them. */
  number: number
  message: string
  action: Action | null
  more: Action | undefined
  visible: boolean
}

const SECONDS_SHOWN = 5
const SECONDS_SHOWN_WITH_ACTION = 9

interface Announcements {
  announce: Announce
  /** Withdraws the announcement that is shown, if any. */
  withdrawShown: () => void
}

const AnnouncementContext = createContext<Announcements>({
  announce: () => ({ isShown: () => false, withdraw: () => undefined }),
  withdrawShown: () => undefined,
})

/** Returns a function that shows a message as a toast and announces it politely to screen readers. */
export function useAnnounce(): Announce {
  return useContext(AnnouncementContext).announce
}

/**
 * Withdraws the announcement that is shown when an error turns up: the server may reject a change after it was announced.
 *
 * @param error message of the last change that failed; null if none did
 */
export function useWithdrawOnError(error: string | null): void {
  const { withdrawShown } = useContext(AnnouncementContext)
  useEffect(() => {
    if (error !== null) withdrawShown()
  }, [error, withdrawShown])
}

interface AnnouncementProviderProps {
  /** The path of the page: an announcement ends with its page. */
  page?: string
  children: ReactNode
}

/** Shows the latest announcement at the bottom of the page. */
export function AnnouncementProvider({ page, children }: AnnouncementProviderProps) {
  const [latest, setLatest] = useState<Announcement | null>(null)
  const count = useRef(0)
  const shown = useRef<MadeAnnouncement | null>(null)
  const leaving = useRef<string | undefined>(undefined)
  const hide = useCallback(() => {
    shown.current = null
    setLatest((before) => before && { ...before, visible: false })
  }, [])
  const announce = useCallback<Announce>(
    (message, options = {}) => {
      count.current += 1
      const number = count.current
      const action = options.undo ? { label: options.label ?? 'Undo', run: options.undo } : null
      setLatest({ number, message, action, more: options.more, visible: !options.quiet })
      const isShown = () => shown.current === made
      const withdraw = () => {
        setLatest((before) =>
          before?.number === number ? { ...before, message: `Not saved: ${message}` } : before,
        )
        if (isShown()) hide()
      }
      const made = { isShown, withdraw }
      shown.current = made
      leaving.current = options.leaving
      return made
    },
    [hide],
  )
  const endWithPage = useEffectEvent((left: string | undefined) => {
    if (leaving.current !== left) hide()
    leaving.current = undefined
  })
  useEffect(() => () => endWithPage(page), [page])
  const value = useMemo(() => ({ announce, withdrawShown: () => shown.current?.withdraw() }), [announce])
  return (
    <AnnouncementContext value={value}>
      {children}
      <Toast announcement={latest} onHide={hide} />
    </AnnouncementContext>
  )
}

interface ToastProps {
  announcement: Announcement | null
  onHide: () => void
}

/** Disappears after a few seconds, but not while it is hovered over or has the focus. */
function Toast({ announcement, onHide }: ToastProps) {
  const [held, setHeld] = useState(false)
  const focusedBefore = useRef<Element | null>(null)
  const action = announcement?.visible ? announcement.action : null
  const more = announcement?.more

  const hide = useEffectEvent(onHide)
  const number = announcement?.number
  const seconds = action || more ? SECONDS_SHOWN_WITH_ACTION : SECONDS_SHOWN
  useEffect(() => {
    if (number === undefined || held) return undefined
    const timer = setTimeout(hide, seconds * 1000)
    return () => clearTimeout(timer)
  }, [number, held, seconds])

  const press = (pressed: Action | null) => {
    pressed?.run()
    setHeld(false)
    if (focusedBefore.current instanceof HTMLElement) focusedBefore.current.focus()
    onHide()
  }
  useUndoKey(action && (() => press(action)))

  const handleFocus = (event: FocusEvent<HTMLDivElement>) => {
    if (event.currentTarget.contains(event.relatedTarget)) return
    focusedBefore.current = event.relatedTarget
    setHeld(true)
  }
  return (
    <div className="toasts">
      <p role="status" className="sr-only">
        <span key={number}>{announcement?.message}</span>
      </p>
      {announcement?.visible && (
        <div
          key={number}
          className={classNames(
            'toast pointer-events-auto flex max-w-prose flex-wrap items-center gap-x-2 rounded-lg border border-line bg-raised py-1.5 pl-5 text-ink shadow-raised',
            action || more ? 'pr-2' : 'pr-5',
          )}
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={({ currentTarget }) => setHeld(currentTarget.contains(document.activeElement))}
          onFocus={handleFocus}
          onBlur={({ currentTarget, relatedTarget }) => setHeld(currentTarget.contains(relatedTarget))}
        >
          <span aria-hidden="true" className="min-w-0 py-2 text-sm wrap-anywhere">
            {announcement.message}
          </span>
          {(action ?? more) && (
            <div className="ms-auto flex">
              {more && (
                <Button variant="ghost" onClick={() => press(more)}>
                  {more.label}
                </Button>
              )}
              {action && (
                <Button variant="ghost" aria-keyshortcuts="Control+Z Meta+Z" onClick={() => press(action)}>
                  {action.label}
                </Button>
              )}
            </div>
          )}
        </div>
      )}
    </div>
  )
}

/** Runs the action on Ctrl+Z (Cmd+Z), unless the focus is in a field, where the keys undo typing. */
function useUndoKey(action: (() => void) | null): void {
  const run = useEffectEvent(() => action?.())
  const active = action !== null
  useEffect(() => {
    if (!active) return undefined
    const handleKeyDown = (event: KeyboardEvent) => {
      const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select')
      if (!isUndo || isTyping) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [active])
}
