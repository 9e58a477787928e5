import { useMemo, useRef, useState } from 'react'
import { userTimeZone } from '#web/lib/days/days.ts'
import { Button } from '#web/ui/button.tsx'
import { keepFocus } from '#web/ui/focus.ts'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { Select } from '#web/ui/select.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { SectionForm } from '../settings-section.tsx'
import { useServerAttempt } from '../use-server-action.ts'
import { timeZoneText } from './reminder-texts.ts'

interface TimeZoneProps {
  timeZone: string
  onChangeTimeZone: (timeZone: string) => Promise<string>
}

/** The time zone of all reminders: one line, until it is to be changed. */
export function TimeZone({ timeZone, onChangeTimeZone }: TimeZoneProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const here = userTimeZone()
  const isElsewhere = timeZoneText(here) !== timeZoneText(timeZone)
  const close = () =>
    keepFocus(
      () => setOpen(false),
      () => button.current,
    )
  return (
    <>
      {/* Hidden rather than removed, so that the button can get the focus back. */}
      <p hidden={isOpen} className="text-sm text-ink-soft">
        In the time zone {timeZoneText(timeZone)}
        {isElsewhere && `, while this device is in ${timeZoneText(here)}`}
        {' · '}
        <button
          ref={button}
          type="button"
          aria-label="Change the time zone"
          className={`${TEXT_LINK} touch-area`}
          onClick={() => setOpen(true)}
        >
          Change
        </button>
      </p>
      {isOpen && <TimeZoneForm timeZone={timeZone} onSave={onChangeTimeZone} onClose={close} />}
    </>
  )
}

interface TimeZoneFormProps {
  timeZone: string
  onSave: (timeZone: string) => Promise<string>
  onClose: () => void
}

function TimeZoneForm({ timeZone, onSave, onClose }: TimeZoneFormProps) {
  const [chosen, setChosen] = useState(timeZone)
  const attempt = useServerAttempt()
  const here = userTimeZone()
  const options = useMemo(() => timeZoneOptions([here, timeZone]), [here, timeZone])
  const save = (name: string) =>
    attempt('change the time zone', async () => {
      const changed = await onSave(name)
      onClose()
      return changed
    })
  const form = useForm({ save: () => save(chosen) })
  return (
    <SectionForm
      form={form}
      takesFocus
      buttons={
        <>
          <Button type="submit" variant="primary" loading={form.busy}>
            Save
          </Button>
          {timeZoneText(here) !== timeZoneText(timeZone) && (
            <Button disabled={form.busy} onClick={() => form.run(() => save(here))}>
              Use {timeZoneText(here)}
            </Button>
          )}
          <Button disabled={form.busy} onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <Select
        label="Time zone of your reminders"
        options={options}
        value={chosen}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
    </SectionForm>
  )
}

/** Those that the browser knows, in order, each place once. Not every browser lists the ones that are in use, whose names stay as they are. */
function timeZoneOptions(inUse: readonly string[]): { value: string; label: string }[] {
  const names = ['UTC', ...Intl.supportedValuesOf('timeZone'), ...inUse]
  const byLabel = new Map(names.map((name) => [timeZoneText(name), name]))
  return [...byLabel]
    .map(([label, value]) => ({ value, label }))
    .toSorted((a, b) => (a.label < b.label ? -1 : 1))
}
