import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button, IconButton } from '#web/ui/button.tsx'
import { restoreFocus } from '#web/ui/focus.ts'
import { ArrowDownIcon } from '#web/ui/icons.tsx'
import { ArrowUpIcon } from '#web/ui/page-icons.tsx'

/** The bar has slid out of view when the Reorder button returns. */
const BUTTON_DELAY_MS = 320

export type ReorderMode = ReturnType<typeof useReorderMode>

/** The state of Reorder Mode, in which small screens show arrow buttons. */
export function useReorderMode() {
  const [state, setState] = useState<'off' | 'on' | 'leaving'>('off')

  useEffect(() => {
    if (state !== 'leaving') return undefined
    const timer = setTimeout(() => setState('off'), BUTTON_DELAY_MS)
    return () => clearTimeout(timer)
  }, [state])

  return {
    state,
    on: state === 'on',
    enter: () => setState('on'),
    leave: () => setState('leaving'),
  }
}

/**
 * Moves the focus with Reorder Mode, because the button that was pressed disappears: to the first arrow of the list, and
 * back to the Reorder button, unless something else has the focus by then.
 */
export function useReorderFocus(
  state: ReorderMode['state'],
  listRef: RefObject<HTMLElement | null>,
  buttonRef: RefObject<HTMLButtonElement | null>,
): void {
  const previous = useRef(state)
  useLayoutEffect(() => {
    const before = previous.current
    previous.current = state
    if (state === 'on') listRef.current?.querySelector<HTMLElement>('li button:not([aria-disabled])')?.focus()
    if (state === 'off' && before === 'leaving') restoreFocus(() => buttonRef.current)
  }, [state, listRef, buttonRef])
}

/** Shown at the bottom of small screens in Reorder Mode. It keeps the focus until the Reorder button is shown again. */
export function ReorderBar({ mode: { state, leave } }: { mode: ReorderMode }) {
  return (
    <div
      inert={state === 'off'}
      data-bottom-bar={state === 'on' || undefined}
      role="region"
      aria-label="Reorder Mode"
      className={`fixed inset-x-0 bottom-0 z-10 flex items-center justify-between gap-4 border-t border-line bg-raised px-5 pt-3 pb-[max(--spacing(3),env(safe-area-inset-bottom))] shadow-raised transition-[translate,visibility] duration-calm md:hidden ${state === 'on' ? '' : 'invisible translate-y-full'}`}
    >
      <p className="font-serif text-lg">Reorder Mode</p>
      <Button variant="primary" onClick={leave}>
        Done
      </Button>
    </div>
  )
}

interface ReorderArrowsProps {
  first: boolean
  last: boolean
  /** Id of the element with the name of the category. */
  describedBy: string
  onMove: (by: -1 | 1) => void
}

/** Moves a row by one position. At the ends, the arrows stay focusable: the other one is the next control. */
export function ReorderArrows({ first, last, describedBy, onMove }: ReorderArrowsProps) {
  return (
    <div className="category-actions gap-1 md:hidden">
      <IconButton
        label="Move up"
        variant="primary"
        aria-disabled={first || undefined}
        aria-describedby={describedBy}
        onClick={() => {
          if (!first) onMove(-1)
        }}
      >
        <ArrowUpIcon />
      </IconButton>
      <IconButton
        label="Move down"
        variant="primary"
        aria-disabled={last || undefined}
        aria-describedby={describedBy}
        onClick={() => {
          if (!last) onMove(1)
        }}
      >
        <ArrowDownIcon />
      </IconButton>
    </div>
  )
}
