import { useUpdatesOf } from '#web/data/prayer-updates.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { dateText } from '#web/lib/day-text.ts'
import { localDay, today } from '#web/lib/days.ts'
import { Badge } from '#web/ui/card.tsx'
import { withLinks } from '#web/ui/with-links.tsx'
import type { Outcome } from './session.ts'
import { useFocusedHeading } from './use-focused-heading.ts'

/** How many updates are shown, the newest ones. */
const UPDATES_SHOWN = 3

/** Names with more characters are set in smaller letters. */
const LONG_NAME = 40

const OUTCOME_TEXTS: Record<Outcome, string> = {
  prayed: 'Prayed',
  skipped: 'Skipped',
  answered: 'Answered',
}

interface PrayerPageProps {
  prayer: Prayer
  category: string | undefined
  /** What became of it in this session, if the user went back to it. */
  outcome: Outcome | undefined
}

/** One prayer, like a page of a book. */
export function PrayerPage({ prayer, category, outcome }: PrayerPageProps) {
  const heading = useFocusedHeading()
  const updates = useUpdatesOf(prayer.id).slice(0, UPDATES_SHOWN)
  const day = today()
  const state = prayer.resolved ? OUTCOME_TEXTS.answered : outcome && OUTCOME_TEXTS[outcome]
  return (
    <article className="pray-prayer">
      <p dir="auto" className="pray-category wrap-anywhere">
        {category}
      </p>
      <h1
        ref={heading}
        tabIndex={-1}
        dir="auto"
        data-long={prayer.person_name.length > LONG_NAME || undefined}
        className="wrap-anywhere"
      >
        {prayer.person_name}
      </h1>
      {state && <Badge tone="gold">{state}</Badge>}
      {prayer.note !== null && prayer.note !== '' && (
        <p dir="auto" className="pray-note whitespace-pre-line wrap-anywhere">
          {withLinks(prayer.note)}
        </p>
      )}
      {updates.map(({ id, body, created_at }) => (
        <div key={id} dir="auto" className="pray-update">
          <p className="text-sm text-ink-faint">
            {/* The direction is that of the text. */}
            <bdi>{dateText(localDay(created_at), day)}</bdi>
          </p>
          <p className="whitespace-pre-line wrap-anywhere">{withLinks(body)}</p>
        </div>
      ))}
    </article>
  )
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
