import { Badge } from '#web/ui/badge.tsx'
import { classNames } from '#web/ui/class-names.ts'
import type { Prayer } from './prayer.ts'

/** Room for a button, the text, and room for two more: the same with and without the buttons. */
export const ROW = 'grid grid-cols-[--spacing(11)_1fr_--spacing(22)] gap-x-1 rounded-md py-1 pr-1'

interface PrayerTextProps {
  prayer: Prayer
  /** Id of the element with the name. */
  nameId?: string
}

/** Who is prayed for, and what about. */
export function PrayerText({ prayer, nameId }: PrayerTextProps) {
  const { person_name, note, resolved } = prayer
  return (
    <>
      <div
        dir="auto"
        className="col-start-2 row-start-1 flex min-h-11 min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 py-2"
      >
        <span
          id={nameId}
          className={classNames(
            'min-w-0 font-serif text-lg wrap-anywhere transition-colors duration-calm',
            resolved && 'text-ink-soft line-through decoration-gold-bright',
          )}
        >
          {person_name}
        </span>
        {resolved && <Badge tone="gold">Resolved</Badge>}
      </div>
      {note !== null && (
        <p
          dir="auto"
          className={classNames(
            'col-span-2 col-start-2 -mt-1 pr-3 pb-2 text-sm whitespace-pre-line wrap-anywhere text-ink-soft',
            resolved && 'line-through decoration-gold-bright',
          )}
        >
          {note}
        </p>
      )}
    </>
  )
}
