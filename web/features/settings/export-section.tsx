import { useState } from 'react'
import { fetchExport } from '#web/data/account-data.ts'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { reportError } from '#web/lib/error-message.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/fields.tsx'
import { DownloadIcon } from '#web/ui/icons.tsx'
import { readExport } from './export-file.ts'
import { exportAsText } from './export-text.ts'
import { SECTION_BUTTONS, SettingsSection } from './settings-section.tsx'

/** `data` can be imported again; `text` is for reading. */
type ExportKind = 'data' | 'text'

/** Longer than any browser needs to start saving a file. */
const SAVE_TIMEOUT_MS = 60_000

export function ExportSection() {
  const announce = useAnnounce()
  const { busy, error, start } = useExport((kind) =>
    announce(kind === 'data' ? 'Data file saved' : 'Text saved'),
  )
  return (
    <SettingsSection
      id="export"
      title="Export my data"
      text={
        <p>
          The data file contains everything that is currently stored about you, and can be imported again. The
          text contains your prayers, for reading and printing.
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
    </SettingsSection>
  )
}

/** Fetches everything stored about the user and saves it as a file. */
export function useExport(onSaved: (kind: ExportKind) => void) {
  const [busy, setBusy] = useState<ExportKind | null>(null)
  const [error, setError] = useState<string | null>(null)
  const start = async (kind: ExportKind) => {
    if (busy !== null) return
    setBusy(kind)
    setError(null)
    try {
      saveExport(kind, await fetchExport())
      onSaved(kind)
    } catch (failure) {
      setError(reportError('export your data', failure))
    } finally {
      setBusy(null)
    }
  }
  return { busy, error, start: (kind: ExportKind) => void start(kind) }
}

function saveExport(kind: ExportKind, content: unknown): void {
  if (kind === 'data') {
    saveFile(`${fileName()}.json`, 'application/json', `${JSON.stringify(content, null, 2)}\n`)
  } else {
    const text = exportAsText(readExport(content), { productName: PRODUCT_NAME })
    saveFile(`${fileName()}.txt`, 'text/plain', text)
  }
}

/** With today's date in the user's time zone. */
function fileName(): string {
  const now = new Date()
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
  return `intercede-${parts.map((part) => String(part).padStart(2, '0')).join('-')}`
}

function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), SAVE_TIMEOUT_MS)
}
