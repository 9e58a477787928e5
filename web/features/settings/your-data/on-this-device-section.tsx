import { useState } from 'react'
import {
  type DeviceUsage,
  type Eviction,
  useDeviceUsage,
  useEviction,
  useKeepNothing,
} from '#web/data/device.ts'
import { useDeviceReport } from '#web/data/device-report.ts'
import { useSyncStatus } from '#web/data/sync-status.ts'
import { useKeptData } from '#web/data/kept-data.ts'
import { useSyncNow } from '#web/data/user-data.tsx'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { countText } from '#web/lib/count-text.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/choices.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/fields.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'
import { SECTION_BUTTONS, SettingsSection } from '../settings-section.tsx'
import { unsavedText } from './your-data-texts.ts'

/** What is stored on this device, what has not been sent, and the switch for storing nothing. */
export function OnThisDeviceSection() {
  const storage = useDeviceUsage()
  const eviction = useEviction()
  return (
    <SettingsSection
      id="stored"
      title="What is stored"
      text={
        <>
          <p>{storedText(storage)}</p>
          {storage.unreadable > 0 && (
            <p>
              {countText(storage.unreadable, 'entry', 'entries')} of another version of the app cannot be
              shown.
            </p>
          )}
          {storage.durable && eviction !== null && <p>{EVICTION_TEXTS[eviction]}</p>}
        </>
      }
    >
      <WaitingChanges />
      <Report />
      <KeepNothing />
    </SettingsSection>
  )
}

const EVICTION_TEXTS: Record<Eviction, string> = {
  never: 'This browser keeps it until you sign out.',
  'no-space':
    'This browser may delete it if the device runs out of space. What has been sent stays on the server.',
  unused:
    'Safari deletes it when you have not opened this page for a week. If you add the page to the Home Screen, it is kept. What has been sent stays on the server.',
}

function storedText({ prayers, categories, bytes, durable }: DeviceUsage): string {
  if (!durable) return 'Nothing is stored on this device. Changes are saved once the server has them.'
  const counts = `${countText(prayers, 'prayer')} and ${countText(categories, 'category', 'categories')}`
  return `${counts} are stored in this browser, ${sizeText(bytes)}, so that they open at once and without a connection.`
}

function sizeText(bytes: number): string {
  const kilobytes = Math.round(bytes / 1000)
  if (kilobytes < 1) return 'less than a kilobyte'
  if (kilobytes < 1000) return `about ${countOf(kilobytes)} kilobyte${kilobytes === 1 ? '' : 's'}`
  return `about ${countOf(Math.round(bytes / 100_000) / 10)} megabytes`
}

function countOf(value: number): string {
  return value.toLocaleString('en')
}

function WaitingChanges() {
  const { waiting, rejectedCount } = useSyncStatus()
  const syncNow = useSyncNow()
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-md bg-sunken px-4 py-1.5 text-sm">
      <p role="status" className="py-1.5">
        {waitingText(waiting, rejectedCount)}
      </p>
      {waiting > 0 && (
        <Button variant="ghost" className="-mx-4 text-sm" onClick={syncNow}>
          Send now
        </Button>
      )}
    </div>
  )
}

function waitingText(waiting: number, rejected: number): string {
  const parts = [
    waiting > 0 && `${countText(waiting, 'change')} waiting to be sent.`,
    rejected > 0 && `${countText(rejected, 'change')} could not be saved: see the top of the page.`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'Everything has been sent.' : parts.join(' ')
}

function selectAll(field: HTMLTextAreaElement | null): void {
  field?.focus()
  field?.select()
}

/** Offers a report when something has to be found out by others. */
function Report() {
  const write = useDeviceReport()
  const announce = useAnnounce()
  const [shown, setShown] = useState<string | null>(null)
  if (write === null) return null
  const copy = async () => {
    const report = write()
    if (await copyText(report)) return announce('Report copied')
    setShown(report)
    announce('This browser could not copy the report. It is selected, so that you can copy it.')
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="max-w-prose text-sm text-ink-soft">
        If this does not pass by itself, you can send a report to whoever runs this site. It contains
        versions, counts, error codes and times, and nothing that you have written.
      </p>
      {shown !== null && (
        <TextArea
          key={shown}
          ref={selectAll}
          label="Report"
          readOnly
          rows={8}
          value={shown}
          className="text-sm"
        />
      )}
      <div className={SECTION_BUTTONS}>
        <Button onClick={() => void copy()}>Copy a report</Button>
      </div>
    </div>
  )
}

function KeepNothing() {
  const { on, turn } = useKeepNothing()
  const { waiting, rejectedCount } = useSyncStatus()
  const haveOthersUnsaved = useKeptData() !== null
  const announce = useAnnounce()
  const { busy, submit } = useSubmission()
  const [isAsking, setAsking] = useState(false)
  const unsaved = waiting + rejectedCount

  const turnTo = (next: boolean) =>
    submit(async () => {
      await turn(next)
      announce(next ? 'Deleted from this device' : 'Kept on this device from the next start on')
    })
  const change = (next: boolean) => {
    if (next && (unsaved > 0 || haveOthersUnsaved)) setAsking(true)
    else void turnTo(next)
  }
  return (
    <div className="flex flex-col gap-1">
      <Checkbox
        label="Keep nothing on this device"
        checked={on}
        aria-busy={busy || undefined}
        aria-describedby="keep-nothing"
        onChange={(event) => change(event.currentTarget.checked)}
      />
      <p id="keep-nothing" className="ml-8 max-w-prose text-sm text-ink-soft">
        For devices that others use. What is stored is deleted from this browser, for everyone who uses it
        here, and nothing is stored again, also after signing out. {PRODUCT_NAME} then needs a connection.
      </p>
      {isAsking && (
        <AlertDialog
          title="Keep nothing on this device"
          message={lossText(unsaved)}
          confirmLabel="Delete"
          onCancel={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            void turnTo(true)
          }}
        />
      )}
    </div>
  )
}

/** @param unsaved changes of the user; if there are none, somebody else has some */
function lossText(unsaved: number): string {
  if (unsaved === 0)
    return 'Changes of someone who is not signed in have not been saved on the server yet. Delete them anyway?'
  return `${unsavedText(unsaved)} Delete ${unsaved === 1 ? 'it' : 'them'} anyway?`
}
