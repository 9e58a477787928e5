import { useRef, useState } from 'react'
import type { Notifications } from '#web/data/notifications.ts'
import {
  MAX_REMINDERS,
  type Reminder,
  type ReminderChoices,
  type ReminderService,
} from '#web/data/reminders.ts'
import { useToday, userTimeZone } from '#web/lib/days/days.ts'
import { isPossible, useNotificationSupport } from '#web/lib/notification-support.ts'
import { useUser } from '#web/lib/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { InlineError } from '#web/ui/fields.tsx'
import { keepFocus } from '#web/ui/focus.ts'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { SECTION_BUTTONS } from '../settings-section.tsx'
import { useServerAction } from '../use-server-action.ts'
import { ReminderForm } from './reminder-form.tsx'
import { clockText, emailProblem, lacksDevice, problemsOf, summaryText } from './reminder-texts.ts'

interface ReminderListProps {
  service: ReminderService
  reminders: readonly Reminder[]
  notifications: Notifications
  onSave: (former: Reminder | null, choices: ReminderChoices) => Promise<string>
  onTurn: (reminder: Reminder, enabled: boolean) => Promise<string>
  onDelete: (reminder: Reminder) => Promise<string>
  onTurnOnHere: () => Promise<string>
}

/** The reminders. One at a time is open in a form, or a new one. */
export function ReminderList(props: ReminderListProps) {
  const { service, reminders, notifications, onSave, onTurn, onDelete, onTurnOnHere } = props
  const user = useUser()
  const today = useToday()
  const addButton = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState<Reminder | 'new' | null>(null)
  const close = (closed: Reminder | null) =>
    keepFocus(
      () => setOpen(null),
      () => (closed && document.getElementById(editButtonId(closed))) ?? addButton.current,
    )

  const form = (reminder: Reminder | null) => (
    <ReminderForm
      reminder={reminder}
      timeZone={reminders[0]?.time_zone ?? userTimeZone()}
      showsTimeZone={reminders.length === 0}
      email={user.email ?? ''}
      emailProblem={emailProblem(service, user)}
      isOnHere={notifications.here === 'on'}
      onSave={(choices) => onSave(reminder, choices)}
      onDelete={reminder && (() => onDelete(reminder))}
      onClose={() => close(reminder)}
    />
  )
  return (
    <>
      {(reminders.length > 0 || open === 'new') && (
        <ul className="-mb-3 divide-y divide-line border-t border-line">
          {reminders.map((reminder) => (
            <li key={reminder.id} className="py-3">
              {open !== 'new' && open?.id === reminder.id ? (
                form(reminder)
              ) : (
                <ReminderRow
                  reminder={reminder}
                  problems={problemsOf(reminder, { service, user, today })}
                  lacksDevice={lacksDevice(reminder, notifications)}
                  onEdit={() => setOpen(reminder)}
                  onTurnOnHere={onTurnOnHere}
                  onTurn={(enabled) => onTurn(reminder, enabled)}
                />
              )}
            </li>
          ))}
          {open === 'new' && <li className="py-3">{form(null)}</li>}
        </ul>
      )}
      {open !== 'new' && reminders.length < MAX_REMINDERS && (
        <div className={SECTION_BUTTONS}>
          <Button ref={addButton} onClick={() => setOpen('new')}>
            Add a reminder
          </Button>
        </div>
      )}
    </>
  )
}

function editButtonId({ id }: Reminder): string {
  return `edit-${id}`
}

interface ReminderRowProps {
  reminder: Reminder
  problems: readonly string[]
  /** Whether no device shows it. */
  lacksDevice: boolean
  onTurnOnHere: () => Promise<string>
  onEdit: () => void
  onTurn: (enabled: boolean) => Promise<string>
}

function ReminderRow(props: ReminderRowProps) {
  const { reminder, problems, onEdit, onTurn, onTurnOnHere } = props
  const support = useNotificationSupport()
  const { busy, error, run } = useServerAction()
  const { enabled } = reminder
  const time = clockText(reminder)
  const turn = enabled ? 'Turn off' : 'Turn on'
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-48">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="text-xl tabular-nums">{time}</span>
            {!enabled && <Badge>Off</Badge>}
          </p>
          <p className="text-sm text-ink-soft">{summaryText(reminder)}</p>
          {props.lacksDevice && (
            <p className="mt-1 text-sm text-info">
              No device shows this reminder yet.{' '}
              {isPossible(support) && (
                <button
                  type="button"
                  aria-label="Turn on notifications"
                  className={`${TEXT_LINK} touch-area`}
                  onClick={() => run('turn on notifications', onTurnOnHere)}
                >
                  Turn on
                </button>
              )}
            </p>
          )}
          {problems.map((problem) => (
            <p key={problem} className="mt-1 text-sm wrap-anywhere text-danger">
              {problem}
            </p>
          ))}
        </div>
        <div className="flex flex-wrap gap-3">
          <Button
            className="text-sm"
            id={editButtonId(reminder)}
            aria-label={`Edit ${time}`}
            onClick={onEdit}
          >
            Edit
          </Button>
          <Button
            className="text-sm"
            aria-label={`${turn} ${time}`}
            loading={busy}
            onClick={() => run('save the reminder', () => onTurn(!enabled))}
          >
            {turn}
          </Button>
        </div>
      </div>
      {error && <InlineError>{error}</InlineError>}
    </div>
  )
}
