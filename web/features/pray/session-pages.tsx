import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { answerOfEarlierYear } from '#web/data/anniversaries.ts'
import { plainMark } from '#web/data/encryption-status.ts'
import { dueToday } from '#web/data/plan.ts'
import { useUpdatesOf } from '#web/data/prayer-updates.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { NameHeading } from '#web/features/prayer-parts/name-heading.tsx'
import { Timeline } from '#web/features/prayer-parts/timeline.tsx'
import { updateEntry } from '#web/features/prayer-parts/timeline-entries.ts'
import { countText } from '#web/lib/count-text.ts'
import { useToday } from '#web/lib/days/days.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { PrayIcon } from '#web/ui/line-icon.tsx'
import { withLinks } from '#web/ui/with-links.tsx'
import { countPrayed, type Outcome, type PrayerSession } from './session-progress.ts'
import { reasonText } from './today-page.ts'

/** How many updates are shown, the newest ones. */
const UPDATES_SHOWN = 3

/** Texts with more characters or lines begin at the margin, shorter ones are in the middle. */
const SHORT_TEXT = { length: 160, lines: 4 }

/** The prayer itself says whether it is answered: that may have been undone since. */
const OUTCOME_TEXTS: Record<Outcome, string | null> = { prayed: 'Prayed', skipped: 'Skipped', answered: null }

interface PrayerPageProps {
  prayer: Prayer
  category: string | undefined
  /** What became of it in this session, if the user went back to it. */
  outcome: Outcome | undefined
}

/** One prayer, like a page of a book. */
export function PrayerPage({ prayer, category, outcome }: PrayerPageProps) {
  const heading = useFocusedHeading()
  const today = useToday()
  const updates = useUpdatesOf(prayer.id).slice(0, UPDATES_SHOWN)
  // It stays while its praying is being saved.
  const [reason] = useState(() => (dueToday(prayer, today) === null ? null : reasonText(prayer, today)))
  const marks = [reason, plainMark(prayer, ...updates)].filter((text) => text !== null)
  const state = prayer.resolved ? 'Answered' : outcome && OUTCOME_TEXTS[outcome]
  return (
    <article className="pray-prayer">
      <p dir="auto" className="text-sm tracking-wide text-ink-faint wrap-anywhere">
        {category}
      </p>
      <NameHeading ref={heading} name={prayer.person_name} />
      {marks.length > 0 && <p className="text-sm text-ink-faint">{marks.join(' · ')}</p>}
      {state && <Badge tone={state === 'Skipped' ? 'neutral' : 'gold'}>{state}</Badge>}
      {prayer.note !== null && prayer.note !== '' && (
        <p
          dir="auto"
          data-short={isShort(prayer.note) || undefined}
          className="pray-note whitespace-pre-line wrap-anywhere"
        >
          {withLinks(prayer.note)}
        </p>
      )}
      {updates.length > 0 && (
        <div data-short={updates.every(({ body }) => isShort(body)) || undefined} className="pray-updates">
          <Timeline entries={updates.map((update) => updateEntry(update, today))} />
        </div>
      )}
    </article>
  )
}

function isShort(text: string): boolean {
  return text.length <= SHORT_TEXT.length && text.trim().split('\n').length <= SHORT_TEXT.lines
}

/** In place of a prayer that was deleted while it was shown. */
export function DeletedPage() {
  const heading = useFocusedHeading()
  return (
    <h1 ref={heading} tabIndex={-1} className="m-auto text-xl">
      This prayer was deleted.
    </h1>
  )
}

interface SessionEndProps {
  session: PrayerSession
  /** All of the user's prayers. */
  prayers: readonly Prayer[]
  onDone: () => void
}

/** The end of a session. */
export function SessionEnd({ session, prayers, onDone }: SessionEndProps) {
  const heading = useFocusedHeading()
  const count = countPrayed(session)
  const day = useToday()
  const remembered = useMemo(() => answerOfEarlierYear(prayers, day), [prayers, day])
  const wasPrayed = Object.values(session.outcomes).some((outcome) => outcome !== 'skipped')
  return (
    <div data-quiet className="pray-page pray-end">
      {wasPrayed && <PrayIcon className="size-7 text-gold-bright" />}
      <h1 ref={heading} tabIndex={-1} data-long={!wasPrayed || undefined}>
        {wasPrayed ? 'Amen.' : 'Nothing prayed this time.'}
      </h1>
      {count > 0 && <p className="text-ink-soft">You prayed for {countText(count, 'person', 'people')}.</p>}
      {/* On a phone, a single line would end after twenty letters of the answer. */}
      {wasPrayed && remembered && (
        <p className="pray-remembered line-clamp-3 wrap-anywhere">
          {remembered.when}: <bdi>{remembered.answer}</bdi>
        </p>
      )}
      <Button variant="primary" onClick={onDone}>
        Done
      </Button>
    </div>
  )
}

/** A heading that receives the focus when its page appears. */
export function useFocusedHeading(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true })
    scrollTo({ top: 0, behavior: 'instant' })
  }, [])
  return heading
}
