import { useEffect, useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { CardError } from './card-error.tsx'
import { previewWords } from './import-words.ts'
import type { ChosenFile } from './use-import.ts'

interface ImportPreviewProps {
  chosen: ChosenFile
  busy: boolean
  error: string | null
  onImport: () => void
  onCancel: () => void
}

/** What would come in from a file. Nothing has been changed yet. */
export function ImportPreview({ chosen, busy, error, onImport, onCancel }: ImportPreviewProps) {
  const summary = useRef<HTMLDivElement>(null)
  useEffect(() => summary.current?.focus(), [])
  const { added, known } = previewWords(chosen.counts)
  return (
    <>
      <div ref={summary} tabIndex={-1} className="flex flex-col gap-2">
        <p className="text-sm text-ink-soft wrap-anywhere">
          {chosen.name}, {originOf(chosen)}
        </p>
        {added && <p className="font-serif text-lg font-semibold">{added}</p>}
        {known && <p className={added ? 'text-ink-soft' : undefined}>{known}</p>}
      </div>
      <CardError>{error}</CardError>
      <div className="mt-auto flex flex-wrap gap-3">
        {added && (
          <Button variant="primary" loading={busy} onClick={onImport}>
            Import
          </Button>
        )}
        <Button disabled={busy} onClick={onCancel}>
          {added ? 'Cancel' : 'Close'}
        </Button>
      </div>
    </>
  )
}

/** When it was exported, and from whose account where the file says so. */
function originOf({ content: { exported_at, account } }: ChosenFile): string {
  const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(new Date(exported_at))
  const email = account['email']
  return typeof email === 'string' ? `exported on ${day} by ${email}` : `exported on ${day}`
}
