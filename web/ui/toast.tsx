import { type FocusEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'

export interface Announcement {
  /** Counts up, so that the same words twice are said twice. */
  number: number
  message: string
  action: { label: string; run: () => void } | null
  visible: boolean
}

interface ToastProps {
  announcement: Announcement | null
  onHide: () => void
}

const SECONDS_SHOWN = 5
const SECONDS_SHOWN_WITH_ACTION = 9

/** The announcement as people see it. It stays while it is pointed at or has the focus. */
export function Toast({ announcement, onHide }: ToastProps) {
  const [held, setHeld] = useState(false)
  const cameFrom = useRef<Element | null>(null)
  const action = announcement?.visible ? announcement.action : null

  const hide = useEffectEvent(onHide)
  const number = announcement?.number
  const seconds = action ? SECONDS_SHOWN_WITH_ACTION : SECONDS_SHOWN
  useEffect(() => {
    if (number === undefined || held) return undefined
    const timer = setTimeout(hide, seconds * 1000)
    return () => clearTimeout(timer)
  }, [number, held, seconds])

  const act = () => {
    action?.run()
    setHeld(false)
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus()
    onHide()
  }
  useUndoKey(action ? act : null)

  const focused = (event: FocusEvent<HTMLDivElement>) => {
    if (event.currentTarget.contains(event.relatedTarget)) return
    cameFrom.current = event.relatedTarget
    setHeld(true)
  }
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-0 z-20 flex justify-center p-4">
      <p role="status" className="sr-only">
        <span key={number}>{announcement?.message}</span>
      </p>
      {announcement?.visible && (
        <div
          key={number}
          className={classNames(
            'toast pointer-events-auto flex max-w-prose items-center gap-2 rounded-lg border border-line bg-raised py-1.5 pl-5 text-ink shadow-raised',
            action ? 'pr-2' : 'pr-5',
          )}
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
          onFocus={focused}
          onBlur={() => setHeld(false)}
        >
          <span aria-hidden="true" className="min-w-0 py-2 text-sm wrap-anywhere">
            {announcement.message}
          </span>
          {action && (
            <Button variant="ghost" aria-keyshortcuts="Control+Z Meta+Z" onClick={act}>
              {action.label}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

/** Ctrl+Z (or Cmd+Z) takes back what is announced, unless something is being typed. */
function useUndoKey(act: (() => void) | null): void {
  const run = useEffectEvent(() => act?.())
  const active = act !== null
  useEffect(() => {
    if (!active) return undefined
    const pressed = (event: KeyboardEvent) => {
      const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select')
      if (!isUndo || isTyping) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [active])
}
