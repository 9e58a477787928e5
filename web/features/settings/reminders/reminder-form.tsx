import { type ReactNode, useId, useState } from 'react'
import type { Reminder, ReminderChoices } from '#web/data/reminders.ts'
import { WeekdaysField } from '#web/features/prayer-parts/weekdays-field.tsx'
import { EVERY_DAY } from '#web/lib/days/days.ts'
import { isPossible, useNotificationSupport } from '#web/lib/notification-support.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/choices.tsx'
import { TextField } from '#web/ui/fields.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { SectionForm } from '../settings-section.tsx'
import { useServerAttempt } from '../use-server-action.ts'
import { NotificationObstacle } from './notifications-section.tsx'
import { clockText, timeZoneText } from './reminder-texts.ts'

interface ReminderFormProps {
  /** Null for a new one. */
  reminder: Reminder | null
  /** For a new one. */
  timeZone: string
  /** Whether the time zone is not shown elsewhere. */
  showsTimeZone: boolean
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
  const { reminder, showsTimeZone, email, emailProblem, isOnHere, onSave, onDelete, onClose } = props
  const [time, setTime] = useState(reminder ? clockText(reminder) : '07:00')
  const [weekdays, setWeekdays] = useState(reminder?.weekdays ?? EVERY_DAY)
  const isPushOnly = isPossible(useNotificationSupport()) && emailProblem !== null
  const [byPush, setByPush] = useState(reminder?.by_push ?? isPushOnly)
  const [byEmail, setByEmail] = useState(reminder?.by_email ?? false)
  const attempt = useServerAttempt()
  const timeZone = reminder?.time_zone ?? props.timeZone
  const choices = { remind_at: time, weekdays, by_push: byPush, by_email: byEmail, time_zone: timeZone }
  const finish = async (saved: Promise<string>) => {
    const text = await saved
    onClose()
    return text
  }
  const form = useForm({
    check: (read) => ({
      time: read('time') === '' ? 'Please enter a time' : null,
      days: weekdays === 0 ? 'Please choose at least one day' : null,
      ways: read('push') || read('email') ? null : 'Please choose how it should reach you',
    }),
    save: () => attempt('save the reminder', () => finish(onSave(choices))),
  })
  return (
    <SectionForm
      form={form}
      takesFocus
      buttons={
        <>
          <Button type="submit" variant="primary" loading={form.busy}>
            Save
          </Button>
          <Button disabled={form.busy} onClick={onClose}>
            Cancel
          </Button>
          {onDelete && (
            <Button
              disabled={form.busy}
              onClick={() => form.run(() => attempt('delete the reminder', () => finish(onDelete())))}
            >
              Delete
            </Button>
          )}
        </>
      }
    >
      <TextField
        type="time"
        label="Time"
        name="time"
        required
        value={time}
        error={form.errors.time}
        hint={showsTimeZone && `In the time zone ${timeZoneText(timeZone)}`}
        onChange={({ currentTarget }) => setTime(currentTarget.value)}
      />
      {/* Room for seven days in a row on a phone. */}
      <div className="-mx-0.5">
        <WeekdaysField
          days={weekdays}
          onChange={(days) => {
            setWeekdays(days)
            form.clear('days')
          }}
        />
        <GroupError>{form.errors.days}</GroupError>
      </div>
      <Ways>
        <Checkbox
          label="Notification"
          name="push"
          checked={byPush}
          onChange={({ currentTarget }) => setByPush(currentTarget.checked)}
        />
        {byPush && !reminder?.by_push && !isOnHere && <BeforeAsking />}
        {(emailProblem === null || reminder?.by_email) && (
          <Checkbox
            label={email === '' ? 'Email' : `Email to ${email}`}
            name="email"
            className="wrap-anywhere"
            checked={byEmail}
            onChange={({ currentTarget }) => setByEmail(currentTarget.checked)}
          />
        )}
        {emailProblem && <p className="text-sm text-ink-soft">{emailProblem}</p>}
        <GroupError>{form.errors.ways}</GroupError>
      </Ways>
    </SectionForm>
  )
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
