import { Badge } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import type { Prayer } from '#web/data/prayers.ts'

interface PrayerTextProps {
  prayer: Prayer
  /** Id of the element with the name. */
  nameId: string
}

/** Who is prayed for, and what about. */
export function PrayerText({ prayer, nameId }: PrayerTextProps) {
  const { person_name, note, resolved } = prayer
  return (
    <>
      <div
        dir="auto"
        className="col-start-2 row-start-2 mx-1 flex min-h-11 min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 py-2"
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
            'col-span-3 col-start-2 row-start-3 -mt-1 ml-1 pr-3 pb-2 text-sm whitespace-pre-line wrap-anywhere text-ink-soft',
            resolved && 'line-through decoration-gold-bright',
          )}
        >
          {note}
        </p>
      )}
    </>
  )
}
