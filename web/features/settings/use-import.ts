import { useRef, useState } from 'react'
import { reportError } from '#web/lib/error-message.ts'
import type { ExportFile } from './export-file.ts'
import { readImportFile } from './import-file.ts'
import { importFile, type ImportCounts, previewImport } from './account-data-requests.ts'

/** A file that was read and compared with what is there. */
export interface ChosenFile {
  name: string
  content: ExportFile
  counts: ImportCounts
}

export type ImportState =
  | { step: 'choose'; error: string | null }
  | { step: 'reading' }
  | { step: 'look'; chosen: ChosenFile; busy: boolean; error: string | null }

const AT_START: ImportState = { step: 'choose', error: null }

/**
 * From a file to what would come in, and from there to what came in.
 *
 * @param onSent called after every attempt: one that failed without an answer may have been made all the same
 */
export function useImport(onImported: (counts: ImportCounts) => void, onSent: () => void) {
  const [state, setState] = useState<ImportState>(AT_START)
  const underWay = useRef(false)

  const choose = async (file: File) => {
    setState({ step: 'reading' })
    try {
      const content = await readImportFile(file)
      const counts = await previewImport(content)
      setState({ step: 'look', chosen: { name: file.name, content, counts }, busy: false, error: null })
    } catch (failure) {
      setState({ step: 'choose', error: withoutHarm(reportError('import', failure)) })
    }
  }
  const bringIn = async (chosen: ChosenFile) => {
    if (underWay.current) return
    underWay.current = true
    setState({ step: 'look', chosen, busy: true, error: null })
    try {
      onImported(await importFile(chosen.content))
      setState(AT_START)
    } catch (failure) {
      const error = reportError('import', failure)
      setState({ step: 'look', chosen, busy: false, error })
    }
    underWay.current = false
    onSent()
  }
  return {
    state,
    choose: (file: File) => void choose(file),
    bringIn: (chosen: ChosenFile) => void bringIn(chosen),
    cancel: () => setState(AT_START),
  }
}

/** Up to here nothing but looking was done. */
function withoutHarm(failure: string): string {
  return `${failure.replace(/\.$/, '')}. Nothing was changed.`
}
