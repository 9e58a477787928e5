import { Fragment, useEffect, useRef, useState } from 'react'
import type { ImportCounts } from '#web/data/account-data.ts'
import { useImportActions } from '#web/data/import-actions.ts'
import { dateText } from '#web/lib/days/day-text.ts'
import { localDay, today } from '#web/lib/days/days.ts'
import { reportError } from '#web/lib/error-message.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/fields.tsx'
import { UploadIcon } from '#web/ui/page-icons.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'
import { SECTION_BUTTONS, SettingsSection } from '../settings-section.tsx'
import { type ExportFile, readExportFile } from './export-file.ts'
import { importedText, importPreviewTexts } from './your-data-texts.ts'

/** As many as fit on a phone beside the rest of the preview. */
const SHOWN_CATEGORIES = 20

interface ImportSectionProps {
  /** Called after every attempt: one that failed may have been carried out, if nothing could be asked afterwards. */
  onSent: () => void
}

/** Imports a data file: first shows what would be added, then adds it. */
export function ImportSection({ onSent }: ImportSectionProps) {
  const announce = useAnnounce()
  const button = useRef<HTMLButtonElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const { state, busy, choose, start, cancel } = useImport((counts) => announce(importedText(counts)), onSent)
  const isPreview = state.step === 'preview'
  const wasPreview = useRef(false)
  useEffect(() => {
    // The focused button has been removed with the preview.
    if (wasPreview.current && !isPreview) button.current?.focus()
    wasPreview.current = isPreview
  }, [isPreview])
  return (
    <SettingsSection
      id="import"
      title="Import"
      text={
        <p>
          Restores the prayers and categories in a data file from this or another account. You will see what
          would be added before anything is saved. What you already have is not changed, and nothing is added
          twice.
        </p>
      }
    >
      {state.step === 'preview' ? (
        <ImportPreview
          file={state.file}
          busy={busy}
          error={state.error}
          onImport={() => start(state.file)}
          onCancel={cancel}
        />
      ) : (
        <>
          {state.step === 'choose' && state.error && <InlineError>{state.error}</InlineError>}
          <div className={SECTION_BUTTONS}>
            <Button ref={button} loading={state.step === 'reading'} onClick={() => input.current?.click()}>
              {state.step !== 'reading' && <UploadIcon />}
              Choose a data file
            </Button>
          </div>
        </>
      )}
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="Data file"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          if (file) choose(file)
          // Without this, choosing the same file again (after correcting it) would fire no event.
          event.currentTarget.value = ''
        }}
      />
    </SettingsSection>
  )
}

interface ChosenFile {
  name: string
  content: ExportFile
  counts: ImportCounts
}

interface ImportPreviewProps {
  file: ChosenFile
  busy: boolean
  error: string | null
  onImport: () => void
  onCancel: () => void
}

function ImportPreview({ file, busy, error, onImport, onCancel }: ImportPreviewProps) {
  const summary = useRef<HTMLDivElement>(null)
  useEffect(() => summary.current?.focus(), [])
  const { added, known } = importPreviewTexts(file.counts)
  return (
    <>
      <div ref={summary} tabIndex={-1} className="flex flex-col gap-2">
        <p className="text-sm text-ink-soft wrap-anywhere">
          {file.name}, {originText(file.content)}
        </p>
        {added && <p className="font-serif text-lg font-semibold">{added}</p>}
        {known && <p className={added ? 'text-ink-soft' : undefined}>{known}</p>}
        <CategoriesInFile content={file.content} />
      </div>
      {error && <InlineError>{error}</InlineError>}
      <div className={SECTION_BUTTONS}>
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

/** The file's categories, with the number of their prayers. */
function CategoriesInFile({ content: { categories, prayers } }: { content: ExportFile }) {
  if (categories.length === 0) return null
  const counts = new Map<string, number>()
  for (const { category_id: id } of prayers) counts.set(id, (counts.get(id) ?? 0) + 1)
  const more = categories.length - SHOWN_CATEGORIES
  return (
    <p className="text-sm text-ink-soft wrap-anywhere">
      In this file:{' '}
      {categories.slice(0, SHOWN_CATEGORIES).map(({ id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <bdi>{name}</bdi>&nbsp;({(counts.get(id) ?? 0).toLocaleString('en')})
        </Fragment>
      ))}
      {more > 0 && ` and ${more.toLocaleString('en')} more`}
    </p>
  )
}

/** When the file was exported, and by which account if the file contains its address. */
function originText({ exported_at, account }: ExportFile): string {
  const day = dateText(localDay(exported_at), today())
  const email = account['email']
  return typeof email === 'string' ? `exported on ${day} by ${email}` : `exported on ${day}`
}

type ImportState =
  | { step: 'choose'; error: string | null }
  | { step: 'reading' }
  | { step: 'preview'; file: ChosenFile; error: string | null }

const INITIAL: ImportState = { step: 'choose', error: null }

function useImport(onImported: (counts: ImportCounts) => void, onSent: () => void) {
  const [state, setState] = useState<ImportState>(INITIAL)
  const { busy, submit } = useSubmission()
  const { preview, add } = useImportActions()

  const choose = async (file: File) => {
    setState({ step: 'reading' })
    try {
      const content = await readExportFile(file)
      const counts = await preview(content)
      setState({ step: 'preview', file: { name: file.name, content, counts }, error: null })
    } catch (failure) {
      const message = reportError('import', failure).replace(/\.$/, '')
      setState({ step: 'choose', error: `${message}. Nothing was changed.` })
    }
  }
  const send = async (file: ChosenFile) => {
    setState({ step: 'preview', file, error: null })
    try {
      onImported(await add(file.content, file.counts))
      setState(INITIAL)
    } catch (failure) {
      setState({ step: 'preview', file, error: reportError('import', failure) })
    } finally {
      onSent()
    }
  }
  return {
    state,
    busy,
    choose: (file: File) => void choose(file),
    start: (file: ChosenFile) => void submit(() => send(file)),
    cancel: () => setState(INITIAL),
  }
}
