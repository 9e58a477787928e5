import { type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import { copyText } from '#web/lib/copy-text.ts'
import { classNames } from '#web/ui/class-names.ts'
import { TEXT_LINK } from '#web/ui/link.tsx'

/** Three lines of text on a small screen have at least this many characters. */
const SHORT_LENGTH = 120
const SHORT_LINES = 3

interface ClampedTextProps {
  ref?: RefObject<HTMLParagraphElement | null>
  text: string
  expanded: boolean
  onExpand: (expanded: boolean) => void
  /** A button for the text. */
  children: ReactNode
}

/** The class names of a button below the text. */
export const TEXT_BUTTON = `${TEXT_LINK} inline-flex min-h-11 items-center`

/** A text of the user, of which three lines are shown until it is expanded. */
export function ClampedText({ ref, text, expanded, onExpand, children }: ClampedTextProps) {
  const id = useId()
  const isShort = text.length <= SHORT_LENGTH && text.split('\n').length <= SHORT_LINES
  return (
    <div className="rounded-md border border-line bg-paper px-4 py-3 text-sm">
      {/* Each paragraph has the direction of its own text. */}
      <p
        ref={ref}
        id={id}
        dir="auto"
        className={classNames(
          'whitespace-pre-wrap wrap-anywhere [unicode-bidi:plaintext]',
          !expanded && !isShort && 'line-clamp-3',
        )}
      >
        {text}
      </p>
      <div className="-mb-3 flex flex-wrap justify-between gap-x-4">
        {!isShort && (
          <button
            type="button"
            aria-expanded={expanded}
            aria-controls={id}
            className={TEXT_BUTTON}
            onClick={() => onExpand(!expanded)}
          >
            {expanded ? 'Show less' : 'Show all'}
          </button>
        )}
        {children}
      </div>
    </div>
  )
}

/** Copies a text that a `ClampedText` shows. */
export function useCopyClamped(text: string) {
  const textRef = useRef<HTMLParagraphElement>(null)
  const [expanded, setExpanded] = useState(false)
  const [copyResult, setCopyResult] = useState<'none' | 'copied' | 'selected'>('none')
  const copy = async () => {
    if (await copyText(text)) return setCopyResult('copied')
    setExpanded(true)
    if (textRef.current) getSelection()?.selectAllChildren(textRef.current)
    setCopyResult('selected')
  }
  return { textRef, expanded, setExpanded, copyResult, copy }
}
