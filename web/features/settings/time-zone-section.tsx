import { useMemo, useState } from 'react'
import { userTimeZone } from '#web/lib/days/days.ts'
import { Button } from '#web/ui/button.tsx'
import { Select } from '#web/ui/select.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { SectionForm, SettingsSection } from './settings-section.tsx'
import { useServerAttempt } from './use-server-action.ts'

interface TimeZoneSectionProps {
  timeZone: string
  onChangeTimeZone: (timeZone: string) => Promise<string>
}

/** The time zone of the reminders. */
export function TimeZoneSection({ timeZone, onChangeTimeZone }: TimeZoneSectionProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const attempt = useServerAttempt()
  const here = userTimeZone()
  const names = useMemo(() => timeZoneNames([timeZone, here]), [timeZone, here])
  const save = (name: string) =>
    attempt('change the time zone', async () => {
      const changed = await onChangeTimeZone(name)
      setChosen(null)
      return changed
    })
  const form = useForm({ save: () => save(chosen ?? timeZone) })
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
      <SectionForm
        form={form}
        buttons={
          <>
            <Button type="submit" loading={form.busy}>
              Save time zone
            </Button>
            {here !== timeZone && (
              <Button disabled={form.busy} onClick={() => form.run(() => save(here))}>
                Use {here}
              </Button>
            )}
          </>
        }
      >
        <Select
          label="Time zone of your reminders"
          options={names.map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))}
          value={chosen ?? timeZone}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
      </SectionForm>
    </SettingsSection>
  )
}

/** Those that the browser knows, in order. Not every browser lists the ones that are in use. */
function timeZoneNames(inUse: readonly string[]): string[] {
  return [...new Set([...inUse, 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted()
}
