import { useId, useState } from 'react'
import { WEEKDAYS } from '#web/lib/days/day-text.ts'
import { bitOf, EVERY_DAY, useToday } from '#web/lib/days/days.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { DateField } from '#web/ui/date-field.tsx'
import { ChevronDownIcon } from '#web/ui/icons.tsx'
import { isScheduled, type Schedule, scheduleTexts } from './schedule.ts'

interface WhenToPrayProps {
  schedule: Schedule
  onChange: (change: Partial<Schedule>) => void
}

/** The part of the prayer dialog about when to pray. It is closed while unused; closed, it says what is set. */
export function WhenToPray({ schedule, onChange }: WhenToPrayProps) {
  const id = useId()
  const today = useToday()
  const [open, setOpen] = useState(() => isScheduled(schedule, today))
  const summary = scheduleTexts(schedule, today)
  return (
    <section className="when-to-pray border-t border-line pt-1">
      <h3>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          className="flex min-h-11 w-full items-center gap-3 border border-transparent py-2 text-start"
          onClick={() => setOpen(!open)}
        >
          <span className="flex flex-1 flex-wrap items-center gap-x-3">
            <span className="grow text-lg leading-snug whitespace-nowrap">When to pray</span>{' '}
            {!open && summary.length > 0 && (
              <span className="font-sans text-sm font-normal text-ink-soft first-letter:uppercase">
                {summary.join(' · ')}
              </span>
            )}
          </span>
          <ChevronDownIcon
            className={classNames('text-ink-faint transition-transform', open && 'rotate-180')}
          />
        </button>
      </h3>
      {open && (
        <div id={id} className="flex flex-col gap-4 pt-1 pb-3">
          <DateField
            label="On a specific date"
            value={schedule.due_on}
            onChange={(due_on) => onChange({ due_on })}
          />
          <WeekdaysField days={schedule.pray_days} onChange={(pray_days) => onChange({ pray_days })} />
          <DateField
            label="Pause until"
            hint="It comes back on this day."
            value={schedule.resting_until}
            onChange={(resting_until) => onChange({ resting_until })}
          />
        </div>
      )}
    </section>
  )
}

interface WeekdaysFieldProps {
  /** The bits of the selected weekdays. */
  days: number
  onChange: (days: number) => void
}

function WeekdaysField({ days, onChange }: WeekdaysFieldProps) {
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
            <button
              key={name}
              type="button"
              aria-pressed={(days & bit) !== 0}
              aria-label={name}
              onClick={() => onChange(days ^ bit)}
            >
              {name.slice(0, 3)}
            </button>
          )
        })}
      </div>
    </div>
  )
}
