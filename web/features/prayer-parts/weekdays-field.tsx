import { useId } from 'react'
import { WEEKDAYS, weekdaysText } from '#web/lib/days/day-text.ts'
import { bitOf, EVERY_DAY } from '#web/lib/days/days.ts'
import { Button } from '#web/ui/button.tsx'
import { Choice } from '#web/ui/choices.tsx'
import './weekdays-field.css'

interface WeekdaysFieldProps {
  /** The bits of the selected weekdays. */
  days: number
  onChange: (days: number) => void
}

/** The days of the week, each of which can be chosen. */
export function WeekdaysField({ days, onChange }: WeekdaysFieldProps) {
  const id = useId()
  const isUnused = days === 0
  return (
    <div role="group" aria-labelledby={id} className="@container flex flex-col">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <p id={id} className="text-sm font-medium">
          Days of the week
        </p>
        <Button
          variant="ghost"
          className="-me-4 ms-auto text-sm"
          aria-label={isUnused ? undefined : 'Clear “Days of the week”'}
          onClick={() => onChange(isUnused ? EVERY_DAY : 0)}
        >
          {isUnused ? 'Every day' : 'Clear'}
        </Button>
      </div>
      <div className="weekdays">
        {WEEKDAYS.map((name, index) => {
          const bit = bitOf(index + 1)
          return (
            <Choice
              key={name}
              chosen={(days & bit) !== 0}
              aria-label={name}
              className="px-0!"
              onClick={() => onChange(days ^ bit)}
            >
              {name.slice(0, 3)}
            </Choice>
          )
        })}
      </div>
    </div>
  )
}

interface CategoryDaysFieldProps {
  /** Null for every day. */
  days: number | null
  onChange: (days: number | null) => void
}

/** The days of a category, on which its prayers are in turn. */
export function CategoryDaysField({ days, onChange }: CategoryDaysFieldProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <WeekdaysField days={days ?? 0} onChange={(chosen) => onChange(chosen || null)} />
      <p className="text-sm text-ink-soft">
        {days === null || days === EVERY_DAY
          ? 'Its prayers are in turn every day.'
          : `Its prayers are in turn on ${weekdaysText(days)}. Planned ones also come on other days.`}
      </p>
    </div>
  )
}
