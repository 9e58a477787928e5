import { memo } from 'react'
import { plainMark } from '#web/data/encryption-status.ts'
import type { PrayerUpdate } from '#web/data/prayer-updates.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { PrayerLink } from '#web/features/prayer-parts/prayer-link.tsx'
import { dateText } from '#web/lib/days/day-text.ts'
import { type Day, localDay } from '#web/lib/days/days.ts'
import { prayedText } from '#web/lib/days/prayed-text.ts'
import { useEntryFlag } from '#web/lib/navigation/entry-flag.ts'
import { shortName } from '#web/lib/short-name.ts'
import { Button, ICON_BUTTON_STYLE } from '#web/ui/button.tsx'
import { MoreIcon } from '#web/ui/page-icons.tsx'
import { closeMenu, Menu, MenuItem } from '#web/ui/menu.tsx'
import { withLinks } from '#web/ui/with-links.tsx'

export interface AnsweredEntryEvents {
  onEdit: (prayer: Prayer) => void
  onReopen: (prayer: Prayer) => void
}

interface AnsweredEntryProps extends AnsweredEntryEvents {
  prayer: Prayer
  category: string | undefined
  /** Newest first. */
  updates: readonly PrayerUpdate[]
  /** A date in another year than this day is shown with its year. */
  yearOf: Day
  /** On paper, everything is shown. */
  printing: boolean
}

/** More updates than this are shown on request. */
const FIRST_UPDATES = 3

/** Longer texts are shown in part. */
const MAX_LENGTH = 480
const MAX_LINES = 8

/** The distance of the text from the edges of its card. */
const ENTRY = 'answered-entry flex flex-col gap-2.5 px-4 pt-4 pb-2 sm:px-6 sm:pt-5'
/** Opening a text does not break its lines anew. */
const TEXT = 'text-wrap whitespace-pre-line wrap-anywhere'

/** An answered prayer: what was asked, what happened, and how it was answered. */
export const AnsweredEntry = memo(function AnsweredEntry(props: AnsweredEntryProps) {
  const { prayer, category, yearOf, printing, onEdit, onReopen } = props
  const { person_name: name, note, answer, answered_on: answeredOn } = prayer
  const [expanded, setExpanded] = useEntryFlag(`expanded ${prayer.id}`)
  const isWhole = expanded || printing
  // If reopening was undone, the answer may still be an update too.
  const updates = props.updates.filter(({ body }) => body !== answer)
  const mark = plainMark(prayer, ...updates)
  const shownUpdates = isWhole ? updates : updates.slice(0, FIRST_UPDATES)
  const texts = [note ?? '', answer ?? '', ...shownUpdates.map(({ body }) => body)]
  const isLong = updates.length > FIRST_UPDATES || texts.some((text) => beginningOf(text) !== text)
  const shown = (text: string) => withLinks(isWhole ? text : beginningOf(text))
  return (
    <article className={ENTRY} data-prayer={prayer.id}>
      <div className="print:break-after-avoid">
        <h3 dir="auto" tabIndex={-1} className="w-fit max-w-full text-lg leading-snug wrap-anywhere">
          <PrayerLink prayerId={prayer.id} className="underline-offset-4 hover:underline">
            {name}
          </PrayerLink>
        </h3>
        <p className="text-sm text-ink-faint">
          {category !== undefined && <bdi className="wrap-anywhere">{category}</bdi>}
          {category !== undefined && answeredOn !== null && '\u00A0· '}
          {answeredOn !== null && (
            <>
              Answered{' '}
              <time dateTime={answeredOn} className="whitespace-nowrap">
                {dateText(answeredOn, yearOf)}
              </time>
            </>
          )}
        </p>
        {mark !== null && <p className="text-sm text-ink-faint print:hidden">{mark}</p>}
      </div>
      {note !== null && note !== '' && (
        <p dir="auto" className={`${TEXT} text-ink-soft`}>
          {shown(note)}
        </p>
      )}
      {answer !== null && answer !== '' && (
        <p dir="auto" className={`${TEXT} answered-answer font-serif text-lg`}>
          {shown(answer)}
        </p>
      )}
      {shownUpdates.length > 0 && (
        <ul aria-label={`Updates on ${shortName(name)}`} className="flex flex-col gap-2 text-sm">
          {shownUpdates.map(({ id, body, created_at }) => (
            <li key={id}>
              <p className="text-xs text-ink-faint">{dateText(localDay(created_at), yearOf)}</p>
              <p dir="auto" className={`${TEXT} text-ink-soft`}>
                {shown(body)}
              </p>
            </li>
          ))}
        </ul>
      )}
      {isLong && !printing && (
        <Button
          variant="ghost"
          className="-ms-4 self-start py-1 text-sm"
          aria-expanded={expanded}
          aria-label={`${expanded ? 'Show less' : 'Show more'} about ${shortName(name)}`}
          onClick={() => setExpanded(!expanded)}
        >
          {expanded ? 'Show less' : 'Show more'}
        </Button>
      )}
      <EntryFooter prayer={prayer} onEdit={onEdit} onReopen={onReopen} />
    </article>
  )
})

/** How often it was prayed, and what can be done. */
function EntryFooter({ prayer, onEdit, onReopen }: AnsweredEntryEvents & { prayer: Prayer }) {
  const {
    person_name: name,
    answer,
    answered_on: answeredOn,
    created_at,
    times_prayed,
    last_prayed_on,
  } = prayer
  const begun = localDay(created_at)
  const prayed = prayedText(times_prayed, begun, answeredOn ?? last_prayed_on ?? begun)
  const edit = answer === null ? 'Record answer' : 'Edit answer'
  const actions = [
    { label: edit, of: `${edit} for ${shortName(name)}`, run: () => onEdit(prayer) },
    { label: 'Reopen', of: `Reopen ${shortName(name)}`, run: () => onReopen(prayer) },
  ]
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4">
      <p className="text-sm text-ink-faint">{prayed}</p>
      <div className="answered-actions">
        {actions.map(({ label, of, run }) => (
          <Button key={label} variant="ghost" className="px-3 text-sm" aria-label={of} onClick={run}>
            {label}
          </Button>
        ))}
      </div>
      <div className="answered-menu">
        <Menu
          label={`More for ${shortName(name)}`}
          triggerClassName={ICON_BUTTON_STYLE}
          trigger={<MoreIcon />}
        >
          {actions.map(({ label, run }) => (
            <MenuItem
              key={label}
              onClick={({ currentTarget }) => {
                closeMenu(currentTarget)
                run()
              }}
            >
              {label}
            </MenuItem>
          ))}
        </Menu>
      </div>
    </div>
  )
}

/** The text, or its beginning if it is long: cut after a word, and marked with an ellipsis. */
export function beginningOf(text: string): string {
  const lines = text.split('\n', MAX_LINES).join('\n')
  const isLong = lines.length > MAX_LENGTH
  if (!isLong && lines.length === text.length) return text
  const cut = isLong ? lines.slice(0, MAX_LENGTH) : lines
  const words = isLong ? cut.replace(/\s+\S*$/u, '') : cut
  // The cut may be inside a character of two code units.
  return `${words.replace(/[\uD800-\uDBFF]$/, '').trimEnd()}…`
}
