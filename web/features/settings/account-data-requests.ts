import { fieldsOf } from '#shared/fields.ts'
import { rest } from '#web/data/rest-client.ts'
import type { ExportFile } from './export-file.ts'

/** How much of a file is, or would be, added, and how much is there already. */
export interface ImportCounts {
  categories_added: number
  categories_known: number
  prayers_added: number
  prayers_known: number
}

/** What deleting the account takes along, and whether it may be done without signing in again. */
export interface DeletionPreview {
  prayers: number
  categories: number
  signed_in_lately: boolean
}

/** Everything that the server has about the person at this moment, as the data file has it. */
export async function fetchExport(): Promise<unknown> {
  const { data } = await rest.rpc('export_account').throwOnError()
  return data
}

/** Counts what importing the file would do; nothing is written. */
export async function previewImport(file: ExportFile): Promise<ImportCounts> {
  return sendImport(file, true)
}

/** Adds what is in the file and not yet in the account, all of it or nothing. */
export async function importFile(file: ExportFile): Promise<ImportCounts> {
  return sendImport(file, false)
}

export async function fetchDeletionPreview(): Promise<DeletionPreview> {
  const { data } = await rest.rpc('preview_account_deletion').throwOnError()
  return {
    prayers: numberIn(data, 'prayers'),
    categories: numberIn(data, 'categories'),
    signed_in_lately: fieldsOf(data)['signed_in_lately'] === true,
  }
}

/** Deletes the account of whoever is signed in. Refused unless they signed in within the last five minutes. */
export async function deleteAccount(): Promise<void> {
  await rest.rpc('delete_account').throwOnError()
}

/** The account in the file stays here: only what is to be added is sent. */
async function sendImport({ categories, prayers }: ExportFile, preview: boolean): Promise<ImportCounts> {
  const content = { categories: [...categories], prayers: [...prayers] }
  const { data } = await rest.rpc('import_prayers', { data: content, preview }).throwOnError()
  return {
    categories_added: numberIn(data, 'categories_added'),
    categories_known: numberIn(data, 'categories_known'),
    prayers_added: numberIn(data, 'prayers_added'),
    prayers_known: numberIn(data, 'prayers_known'),
  }
}

function numberIn(answer: unknown, field: string): number {
  const value = fieldsOf(answer)[field]
  if (typeof value !== 'number') throw new TypeError(`The answer has no ${field}.`)
  return value
}
