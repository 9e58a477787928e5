import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
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
const EXCERPT_LENGTH = 500

/** A note: its first two lines until it is expanded. Web addresses are links. */
export function Note({ text, about, resolved, dimmed = false, printing }: NoteProps) {
  const ref = useRef<HTMLParagraphElement>(null)
  const [expanded, setExpanded] = useState(false)
  const { excerpt, isCut } = excerptOf(text)
  const overflowing = useOverflowingWidth(ref)
  const isWhole = expanded || printing
  const hasMore = !isWhole && (isCut || overflowing !== null)
  const label = expanded ? 'less' : 'more'
  const [end, setEnd] = useState<number | null>(null)
  useLayoutEffect(() => {
    if (overflowing !== null && ref.current) setEnd(endOfExcerpt(ref.current))
  }, [overflowing])
  // Until it is known where the text ends, the button is at the end of the line.
  const position = end === null ? { insetInlineEnd: 0 } : { insetInlineStart: end }

  // A link in a line that is not visible can have the focus.
  const showFocused = ({ currentTarget: link }: FocusEvent<HTMLElement>) => {
    if (link.offsetTop >= (link.parentElement?.clientHeight ?? Infinity)) setExpanded(true)
  }
  return (
    <div dir="auto" className={classNames('relative text-sm', !dimmed && 'text-ink-soft')}>
      <p
        ref={ref}
        className={classNames(
          // Opening it does not break the lines anew.
          'text-wrap whitespace-pre-line wrap-anywhere',
          resolved && 'line-through decoration-gold-line decoration-1',
          !isWhole && 'note-excerpt',
          hasMore && CUT,
        )}
      >
        {withLinks(isWhole ? text : excerpt, showFocused)}
      </p>
      {(hasMore || expanded) && (
        <span
          className={hasMore ? 'absolute bottom-0 whitespace-pre' : 'block'}
          style={hasMore ? position : undefined}
        >
          {hasMore && <span aria-hidden="true"> … </span>}
          <button
            type="button"
            aria-expanded={expanded}
            aria-label={`${label} of ${about}`}
            // The area that can be pressed is larger than the text.
            className="relative font-medium text-accent underline-offset-4 after:absolute after:-inset-x-2 after:-inset-y-3 hover:underline"
            onClick={() => setExpanded(!expanded)}
          >
            {label}
          </button>
        </span>
      )}
    </div>
  )
}

/** The beginning of a note, without blank lines; if it is cut, then after a word. */
export function excerptOf(note: string): { excerpt: string; isCut: boolean } {
  const lines = note.split('\n').map((line) => line.trim())
  const text = lines.filter((line) => line !== '').join('\n')
  if (text.length <= EXCERPT_LENGTH) return { excerpt: text, isCut: false }
  const start = text.slice(0, EXCERPT_LENGTH)
  const end = start.search(/\s\S*$/)
  return { excerpt: end > 0 ? start.slice(0, end) : start, isCut: true }
}

/** The class of a text whose last line leaves room for the button. */
const CUT = 'note-cut'

/** The width of a text that has more lines than are visible, even if the button took no room; null if it has not. */
function useOverflowingWidth(ref: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null)
  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    let known: number | null = null
    const observer = new ResizeObserver(() => {
      const next = overflowsWithoutButton(element) ? element.clientWidth : null
      // React keeps updates that change nothing until the next rendering: a window that is resized would collect thousands.
      if (next !== known) setWidth(next)
      known = next
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return width
}

function overflowsWithoutButton(element: HTMLElement): boolean {
  const isCut = element.classList.contains(CUT)
  element.classList.remove(CUT)
  const overflows = element.scrollHeight > element.clientHeight
  element.classList.toggle(CUT, isCut)
  return overflows
}

/** Where the second line of an excerpt ends, in pixels from the side where lines begin. */
function endOfExcerpt(element: HTMLElement): number {
  const text = document.createRange()
  text.selectNodeContents(element)
  const { left, right, top, bottom } = element.getBoundingClientRect()
  const isRightToLeft = getComputedStyle(element).direction === 'rtl'
  let end = 0
  for (const part of text.getClientRects()) {
    const middle = (part.top + part.bottom) / 2
    if (middle > (top + bottom) / 2 && middle < bottom)
      end = Math.max(end, isRightToLeft ? right - part.left : part.right - left)
  }
  return end
}
