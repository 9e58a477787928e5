import { type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import type { Reminder, ReminderChoices } from '#web/data/reminders.ts'
import { WeekdaysField } from '#web/features/prayers/weekdays-field.tsx'
import { EVERY_DAY } from '#web/lib/days/days.ts'
import { useFieldErrors } from '#web/lib/field-errors.ts'
import { useNotificationSupport } from '#web/lib/notification-support.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/choices.tsx'
import { InlineError, TextField } from '#web/ui/fields.tsx'
import { NotificationObstacle } from './notifications-section.tsx'
import { clockText } from './reminder-texts.ts'
import { SECTION_BUTTONS } from './settings-section.tsx'
import { useServerAction } from './use-server-action.ts'

interface ReminderFormProps {
  /** Null for a new one. */
  reminder: Reminder | null
  /** For a new one. */
  timeZone: string
  email: string
  /** Why there are no reminders by email; null if nothing is in the way. */
  emailProblem: string | null
  /** Whether this device shows notifications. */
  isOnHere: boolean
  onSave: (choices: ReminderChoices) => Promise<string>
  onDelete: (() => Promise<string>) | null
  onClose: () => void
}

/** The time, the days and the ways of a reminder. */
export function ReminderForm(props: ReminderFormProps) {
  const { reminder, email, emailProblem, isOnHere, onSave, onDelete, onClose } = props
  const [time, setTime] = useState(reminder ? clockText(reminder) : '07:00')
  const [weekdays, setWeekdays] = useState(reminder?.weekdays ?? EVERY_DAY)
  const [byPush, setByPush] = useState(reminder?.by_push ?? false)
  const [byEmail, setByEmail] = useState(reminder?.by_email ?? false)
  const { errors, show, recheck } = useFieldErrors<'time' | 'days' | 'ways'>()
  const { busy, error, run } = useServerAction()
  const timeField = useRef<HTMLInputElement>(null)
  const timeZone = reminder?.time_zone ?? props.timeZone
  useEffect(() => timeField.current?.focus(), [])

  const choices = { remind_at: time, weekdays, by_push: byPush, by_email: byEmail }
  const change = (changed: Partial<typeof choices>) => recheck(errorsIn({ ...choices, ...changed }))
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    const found = errorsIn(choices)
    show(found)
    if (found.time) timeField.current?.focus()
    if (Object.values(found).some((message) => message !== null)) return
    run('save the reminder', async () => {
      const saved = await onSave({ ...choices, time_zone: timeZone })
      onClose()
      return saved
    })
  }
  return (
    <form noValidate onSubmit={handleSubmit} className="flex max-w-form flex-col gap-4">
      {error && <InlineError>{error}</InlineError>}
      <TextField
        ref={timeField}
        type="time"
        label="Time"
        required
        value={time}
        error={errors.time}
        hint={`In the time zone ${timeZone}`}
        onChange={({ currentTarget: { value } }) => {
          setTime(value)
          change({ remind_at: value })
        }}
      />
      <div>
        <WeekdaysField
          days={weekdays}
          onChange={(days) => {
            setWeekdays(days)
            change({ weekdays: days })
          }}
        />
        <GroupError>{errors.days}</GroupError>
      </div>
      <Ways>
        <Checkbox
          label="Notification"
          checked={byPush}
          onChange={({ currentTarget: { checked } }) => {
            setByPush(checked)
            change({ by_push: checked })
          }}
        />
        {byPush && !reminder?.by_push && !isOnHere && <BeforeAsking />}
        {(emailProblem === null || reminder?.by_email) && (
          <Checkbox
            label={email === '' ? 'Email' : `Email to ${email}`}
            className="wrap-anywhere"
            checked={byEmail}
            onChange={({ currentTarget: { checked } }) => {
              setByEmail(checked)
              change({ by_email: checked })
            }}
          />
        )}
        {emailProblem && <p className="text-sm text-ink-soft">{emailProblem}</p>}
        <GroupError>{errors.ways}</GroupError>
      </Ways>
      <div className={SECTION_BUTTONS}>
        <Button type="submit" variant="primary" loading={busy}>
          Save
        </Button>
        <Button disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        {onDelete && (
          <Button
            disabled={busy}
            onClick={() =>
              run('delete the reminder', async () => {
                const deleted = await onDelete()
                onClose()
                return deleted
              })
            }
          >
            Delete
          </Button>
        )}
      </div>
    </form>
  )
}

function errorsIn(choices: Pick<ReminderChoices, 'remind_at' | 'weekdays' | 'by_push' | 'by_email'>) {
  return {
    time: choices.remind_at === '' ? 'Please enter a time' : null,
    days: choices.weekdays === 0 ? 'Please choose at least one day' : null,
    ways: choices.by_push || choices.by_email ? null : 'Please choose how it should reach you',
  }
}

function Ways({ children }: { children: ReactNode }) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id} className="flex flex-col">
      <p id={id} className="text-sm font-medium">
        How it reaches you
      </p>
      {children}
    </div>
  )
}

function GroupError({ children }: { children: string | null | undefined }) {
  if (!children) return null
  return (
    <p role="alert" className="mt-1.5 text-sm text-danger">
      {children}
    </p>
  )
}

/** What happens here when notifications have been chosen. */
function BeforeAsking() {
  const support = useNotificationSupport()
  return (
    <div className="mb-2 ml-8 flex flex-col gap-2 text-sm text-ink-soft">
      {support === 'askable' ? (
        <p>When you save, your browser asks whether this site may show notifications.</p>
      ) : (
        <NotificationObstacle support={support} />
      )}
    </div>
  )
}
