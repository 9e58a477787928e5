import type { ReactNode } from 'react'
import { withLinks } from '#web/ui/with-links.tsx'
import type { TimelineEntry } from './timeline-entries.ts'
import './timeline.css'

interface TimelineProps {
  entries: readonly TimelineEntry[]
  /** The id of an entry that stands out. */
  highlighted?: string
  /** Shows an entry, by default only its text. */
  children?: (entry: TimelineEntry) => ReactNode
}

/** What happened with a prayer, newest first: on its page, and in a session. */
export function Timeline({ entries, highlighted, children = showText }: TimelineProps) {
  return (
    <ul className="timeline">
      {entries.map((entry) => (
        // The id is that of the fragment in links.
        <li key={entry.id} id={entry.id} data-highlighted={entry.id === highlighted || undefined}>
          {children(entry)}
        </li>
      ))}
    </ul>
  )
}

function showText(entry: TimelineEntry): ReactNode {
  return <EntryText entry={entry} />
}

interface EntryTextProps {
  entry: TimelineEntry
  below?: ReactNode
  /** Its buttons. */
  children?: ReactNode
}

/** The title of an entry, and its complete text. */
export function EntryText({ entry, below, children }: EntryTextProps) {
  const text = textOf(entry)
  return (
    <div className={`timeline-entry timeline-${isAnswer(entry) ? 'answer' : entry.kind}`}>
      <p className="timeline-title">{entry.title}</p>
      {text !== null && (
        <p dir="auto" className="timeline-text">
          {withLinks(text)}
        </p>
      )}
      {below && <div className="timeline-below">{below}</div>}
      {children && <div className="timeline-buttons">{children}</div>}
    </div>
  )
}

/** Whether it is the answer, or a former one. */
function isAnswer(entry: TimelineEntry): boolean {
  return entry.kind === 'answer' || (entry.kind === 'update' && entry.update.answered_on !== null)
}

function textOf(entry: TimelineEntry): string | null {
  switch (entry.kind) {
    case 'update':
      return entry.update.body
    case 'answer':
      return entry.text
    case 'fact':
      return null
  }
}
