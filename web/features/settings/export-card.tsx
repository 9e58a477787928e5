import { useState } from 'react'
import { fetchExport } from '#web/data/account-data.ts'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { reportError } from '#web/lib/error-message.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { InlineError } from '#web/ui/fields.tsx'
import { DownloadIcon } from '#web/ui/icons.tsx'
import { readExport } from './export-file.ts'
import { exportAsText } from './export-text.ts'

/** `data` can be imported again; `text` is for reading. */
type ExportKind = 'data' | 'text'

/** Longer than any browser needs to start saving a file. */
const SAVE_TIMEOUT_MS = 60_000

export function ExportCard() {
  const announce = useAnnounce()
  const { busy, error, start } = useExport((kind) =>
    announce(kind === 'data' ? 'Data file saved' : 'Text saved'),
  )
  return (
    <Card aria-labelledby="export" className="flex flex-col gap-4 p-5 sm:p-6">
      <h2 id="export" className="text-xl">
        Export my data
      </h2>
      <p className="text-ink-soft">
        Everything that is currently stored about you: your account, your categories and all your prayers. The
        data file can be imported again; the text is for reading and printing.
      </p>
      {error && <InlineError>{error}</InlineError>}
      <div className="mt-auto flex flex-wrap gap-3">
        <Button loading={busy === 'data'} onClick={() => start('data')}>
          {busy !== 'data' && <DownloadIcon />}
          Save data file
        </Button>
        <Button loading={busy === 'text'} onClick={() => start('text')}>
          {busy !== 'text' && <DownloadIcon />}
          Save as text
        </Button>
      </div>
    </Card>
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
