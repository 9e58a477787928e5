import { type FocusEvent, useEffect, useRef, useState } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import { withLinks } from '#web/ui/with-links.tsx'

interface NoteProps {
  text: string
  /** What it is, for screen readers: for example `the note for Anna`. */
  about: string
  resolved: boolean
  dimmed?: boolean
  /** On paper, the whole note is shown. */
  printing: boolean
}

/** Longer notes are cut before they are rendered: this is more than the lines that are shown can hold. */
const PREVIEW_LENGTH = 500

/** A note: its first lines until it is expanded. Web addresses are links. */
export function Note({ text, about, resolved, dimmed = false, printing }: NoteProps) {
  const ref = useRef<HTMLParagraphElement>(null)
  const [expanded, setExpanded] = useState(false)
  const isCut = text.length > PREVIEW_LENGTH
  const overflows = useOverflows(ref)
  const isWhole = expanded || printing
  const hasMore = !isWhole && (isCut || overflows)
  const label = expanded ? 'less' : 'more'
  const shown = isCut && !isWhole ? text.slice(0, PREVIEW_LENGTH) : text

  // A link in a line that is not visible can have the focus.
  const showFocused = ({ currentTarget: link }: FocusEvent<HTMLElement>) => {
    if (link.offsetTop >= (link.parentElement?.clientHeight ?? Infinity)) setExpanded(true)
  }
  return (
    <div dir="auto" className={classNames('relative text-sm', !dimmed && 'text-ink-soft')}>
      <p
        ref={ref}
        className={classNames(
          'whitespace-pre-line wrap-anywhere',
          resolved && 'line-through decoration-gold-line decoration-1',
          !isWhole && 'line-clamp-2 md:line-clamp-3',
          hasMore && 'fade-at-end',
        )}
      >
        {withLinks(shown, showFocused)}
      </p>
      {(hasMore || expanded) && (
        <button
          type="button"
          aria-expanded={expanded}
          aria-label={`${label} of ${about}`}
          // The area that can be pressed is larger than the text.
          className={classNames(
            'font-medium text-accent underline-offset-4 after:absolute after:-inset-x-2 after:-inset-y-3 hover:underline',
            expanded ? 'relative block' : 'absolute end-0 bottom-0',
          )}
          onClick={() => setExpanded(!expanded)}
        >
          {label}
        </button>
      )}
    </div>
  )
}

/** Whether a clamped text has more lines than are visible. */
function useOverflows(ref: { readonly current: HTMLElement | null }): boolean {
  const [overflows, setOverflows] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    let known = false
    const observer = new ResizeObserver(() => {
      const overflowing = element.scrollHeight > element.clientHeight
      // React keeps updates that change nothing until the next rendering: a window that is resized would collect thousands.
      if (overflowing !== known) setOverflows(overflowing)
      known = overflowing
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return overflows
}
