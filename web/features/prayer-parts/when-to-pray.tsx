import { useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { useToday } from '#web/lib/days/days.ts'
import { Choice, Choices } from '#web/ui/choices.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { DateField } from '#web/ui/date-field.tsx'
import { ChevronDownIcon } from '#web/ui/icons.tsx'
import {
  dueText,
  isScheduled,
  pauseText,
  type Schedule,
  scheduleTexts,
  suggestedDays,
  suggestedReturns,
} from './schedule.ts'
import { WeekdaysField } from './weekdays-field.tsx'

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
          onClick={({ currentTarget }) => {
            flushSync(() => setOpen(!open))
            // It is the last part of the form.
            if (!open) currentTarget.closest('section')?.scrollIntoView({ block: 'nearest' })
          }}
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
        <div id={id} className="flex flex-col gap-5 pt-1 pb-3">
          <DateField
            label="On a specific date"
            hint={schedule.due_on === '' ? null : dueText(schedule, today)}
            suggestions={suggestedDays(today)}
            value={schedule.due_on}
            onChange={(due_on) => onChange({ due_on })}
          >
            {schedule.due_on !== '' && (
              <RepetitionField
                repeats={schedule.due_repeats}
                onChange={(due_repeats) => onChange({ due_repeats })}
              />
            )}
          </DateField>
          <WeekdaysField days={schedule.pray_days} onChange={(pray_days) => onChange({ pray_days })} />
          <DateField
            label="Pause until"
            hint={pauseText(schedule.resting_until, today)}
            suggestions={suggestedReturns(today)}
            value={schedule.resting_until}
            onChange={(resting_until) => onChange({ resting_until })}
          />
        </div>
      )}
    </section>
  )
}

const REPETITIONS = [
  { repeats: null, label: 'Once' },
  { repeats: 'monthly', label: 'Every month' },
  { repeats: 'yearly', label: 'Every year' },
]

interface RepetitionFieldProps {
  repeats: string | null
  onChange: (repeats: string | null) => void
}

function RepetitionField({ repeats: current, onChange }: RepetitionFieldProps) {
  return (
    <Choices label="Repeat">
      {REPETITIONS.map(({ repeats, label }) => (
        <Choice key={label} chosen={repeats === current} onClick={() => onChange(repeats)}>
          {label}
        </Choice>
      ))}
    </Choices>
  )
}
