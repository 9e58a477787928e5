import { type SubmitEvent, useMemo, useState } from 'react'
import { userTimeZone } from '#web/lib/days/days.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/fields.tsx'
import { Select } from '#web/ui/select.tsx'
import { SECTION_BUTTONS, SettingsSection } from './settings-section.tsx'
import { useServerAction } from './use-server-action.ts'

interface TimeZoneSectionProps {
  timeZone: string
  onChangeTimeZone: (timeZone: string) => Promise<string>
}

/** The time zone of the reminders. */
export function TimeZoneSection({ timeZone, onChangeTimeZone }: TimeZoneSectionProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const { busy, error, run } = useServerAction()
  const here = userTimeZone()
  const names = useMemo(() => timeZoneNames([timeZone, here]), [timeZone, here])
  const save = (name: string) =>
    run('change the time zone', async () => {
      const changed = await onChangeTimeZone(name)
      setChosen(null)
      return changed
    })
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    save(chosen ?? timeZone)
  }
  return (
    <SettingsSection
      id="time-zone"
      title="Time zone"
      text={
        <p>
          Your reminders follow the clocks of <strong>{timeZone}</strong>, including daylight saving time.
          {here !== timeZone && ` This device is in ${here}.`}
        </p>
      }
    >
      <form noValidate onSubmit={handleSubmit} className="flex max-w-form flex-col gap-4">
        {error && <InlineError>{error}</InlineError>}
        <Select
          label="Time zone of your reminders"
          options={names.map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))}
          value={chosen ?? timeZone}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
        <div className={SECTION_BUTTONS}>
          <Button type="submit" loading={busy}>
            Save time zone
          </Button>
          {here !== timeZone && (
            <Button disabled={busy} onClick={() => save(here)}>
              Use {here}
            </Button>
          )}
        </div>
      </form>
    </SettingsSection>
  )
}

/** Those that the browser knows, in order. Not every browser lists the ones that are in use. */
function timeZoneNames(inUse: readonly string[]): string[] {
  return [...new Set([...inUse, 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted()
}
