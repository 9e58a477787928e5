import { useState } from 'react'
import { reportError } from '#web/lib/error-message.ts'
import { exportAsText } from './export-text.ts'
import { fetchExport } from './account-data-requests.ts'
import { readExport } from './read-export.ts'
import { saveFile } from './save-file.ts'

/** The two kinds of files: everything, for a computer; and everything, for a reader. */
export type ExportKind = 'data' | 'text'

/** Makes a file of what the server has at the moment, and gives it to the person. */
export function useExport(productName: string, onSaved: (kind: ExportKind) => void) {
  const [busy, setBusy] = useState<ExportKind | null>(null)
  const [error, setError] = useState<string | null>(null)
  const start = async (kind: ExportKind) => {
    if (busy !== null) return
    setBusy(kind)
    setError(null)
    try {
      const content = await fetchExport()
      if (kind === 'data') saveFile(`${fileName()}.json`, 'application/json', asJson(content))
      else saveFile(`${fileName()}.txt`, 'text/plain', exportAsText(readExport(content), { productName }))
      onSaved(kind)
    } catch (failure) {
      setError(reportError('export your data', failure))
    }
    setBusy(null)
  }
  return { busy, error, start: (kind: ExportKind) => void start(kind) }
}

function asJson(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`
}

/** The day is that of the person, who will look for it. */
function fileName(): string {
  const now = new Date()
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
  return `intercede-${parts.map((part) => String(part).padStart(2, '0')).join('-')}`
}
