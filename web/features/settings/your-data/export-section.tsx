import type { User } from '@supabase/auth-js'
import { useState } from 'react'
import { type ExportData, useExportData } from '#web/data/export-data.ts'
import { countUnreadableTexts } from '#web/data/encryption.ts'
import { useEncryptionState } from '#web/data/encryption-status.ts'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { countText } from '#web/lib/count-text.ts'
import { today } from '#web/lib/days/days.ts'
import { reportError } from '#web/lib/error-message.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/fields.tsx'
import { DownloadIcon } from '#web/ui/icons.tsx'
import { CheckIcon } from '#web/ui/page-icons.tsx'
import { saveFile } from '../save-file.ts'
import { SECTION_BUTTONS, SettingsSection } from '../settings-section.tsx'
import { createExport, type DataFile } from './create-export.ts'
import { exportAsText } from './export-text.ts'

/** `data` can be imported again; `text` is for reading. */
type ExportKind = 'data' | 'text'

export function ExportSection({ user }: { user: User }) {
  const announce = useAnnounce()
  const isEncrypted = useEncryptionState() !== 'off'
  const { busy, error, missing, start } = useExport(user, (kind) =>
    announce(kind === 'data' ? 'Data file saved' : 'Text saved'),
  )
  return (
    <SettingsSection
      id="export"
      title="Export my data"
      text={
        <p>
          The data file contains everything that is stored about you, and can be imported again. The text
          contains your prayers, for reading and printing. Without a connection, both are made from what is on
          this device.
          {isEncrypted && ' Whoever has one of these files can read it, without your prayer key.'}
        </p>
      }
    >
      {error && <InlineError>{error}</InlineError>}
      <div className={SECTION_BUTTONS}>
        <Button loading={busy === 'data'} onClick={() => start('data')}>
          {busy !== 'data' && <DownloadIcon />}
          Save data file
        </Button>
        <Button loading={busy === 'text'} onClick={() => start('text')}>
          {busy !== 'text' && <DownloadIcon />}
          Save as text
        </Button>
      </div>
      <p role="status" className="text-sm text-ink-soft empty:hidden">
        {missing}
      </p>
    </SettingsSection>
  )
}

/** Offers to save a data file before something that may lose prayers. */
export function ExportOffer({ user, text }: { user: User; text: string }) {
  const [saved, setSaved] = useState(false)
  const { busy, error, missing, start } = useExport(user, () => setSaved(true))
  return (
    <div className="flex max-w-prose flex-col gap-3 rounded-md bg-sunken px-4 py-3 text-sm text-ink-soft">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p role="status">{saved ? `Your data file is saved. ${missing ?? ''}` : text}</p>
        <Button variant="ghost" className="-mx-4" loading={busy !== null} onClick={() => start('data')}>
          {busy === null && (saved ? <CheckIcon /> : <DownloadIcon />)}
          Save data file
        </Button>
      </div>
      {error && <InlineError>{error}</InlineError>}
    </div>
  )
}

/** Saves everything about the user as a file. */
function useExport(user: User, onSaved: (kind: ExportKind) => void) {
  const exportData = useExportData()
  const [busy, setBusy] = useState<ExportKind | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [missing, setMissing] = useState<string | null>(null)
  const start = async (kind: ExportKind) => {
    if (busy !== null) return
    setBusy(kind)
    setError(null)
    setMissing(null)
    try {
      const data = await exportData()
      saveExport(kind, createExport(data, user, new Date()))
      setMissing(missingText(kind, data))
      onSaved(kind)
    } catch (failure) {
      setError(reportError('export your data', failure))
    } finally {
      setBusy(null)
    }
  }
  return {
    busy,
    error,
    /** What the file that was saved last lacks; null if nothing. */
    missing,
    start: (kind: ExportKind) => void start(kind),
  }
}

function missingText(kind: ExportKind, data: ExportData): string | null {
  const { supplement, unreadable } = data
  const unreadableTexts = countUnreadableTexts(data.categories, data.prayers, data.updates)
  const parts = [
    kind === 'data' &&
      supplement === null &&
      'The server could not be asked: the days on which you prayed are not in the file, only their number.',
    unreadable > 0 &&
      `${countText(unreadable, 'entry', 'entries')} of another version of the app could not be saved.`,
    unreadableTexts > 0 &&
      `The file lacks ${countText(unreadableTexts, 'text')} that cannot be read with your prayer key.`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? null : parts.join(' ')
}

function saveExport(kind: ExportKind, content: DataFile): void {
  const name = `intercede-${today()}`
  if (kind === 'data') saveFile(`${name}.json`, 'application/json', `${JSON.stringify(content, null, 2)}\n`)
  else saveFile(`${name}.txt`, 'text/plain', exportAsText(content, { productName: PRODUCT_NAME }))
}
