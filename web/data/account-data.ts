import { boolean, type InferOutput, number, object, parse } from 'valibot'
import type { Category } from './categories.ts'
import type { PrayerUpdate } from './prayer-updates.ts'
import type { Prayer } from './prayers.ts'
import { rest } from './rest-client.ts'

/** A category of an export: without the owner, which is the account of the export, and the number of its last change. */
export type ExportedCategory = Omit<Category, 'user_id' | 'rev'>

/** A prayer of an export, with its updates and the days on which it was prayed, from which the database counts them. */
export type ExportedPrayer = Omit<
  Prayer,
  'user_id' | 'rev' | 'written_rev' | 'last_prayed_on' | 'times_prayed'
> & {
  updates: Omit<PrayerUpdate, 'user_id' | 'rev' | 'prayer_id'>[]
  prayed_days: string[]
}

/** The rows that an import adds unless the account already has them. */
export interface ImportedRows {
  categories: ExportedCategory[]
  prayers: ExportedPrayer[]
}

const importCounts = object({
  categories_added: number(),
  categories_known: number(),
  prayers_added: number(),
  prayers_known: number(),
  updates_added: number(),
  prayed_days_added: number(),
})

/** How many rows of an import are (or would be) added, and how many the account already has. */
export type ImportCounts = InferOutput<typeof importCounts>

const deletionPreview = object({
  prayers: number(),
  categories: number(),
  /** Whether the account may be deleted without signing in again. */
  signed_in_lately: boolean(),
})

/** What would be deleted with the account. */
export type DeletionPreview = InferOutput<typeof deletionPreview>

/**
 * Longer than the server takes at most: a minute to receive the file (server/http/body-limits.ts), one to wait for other
 * imports (server/rest/request-limits.ts), and 50 seconds to import it (supabase/schemas/11_import_prayers.sql).
 */
const transferTimeout = () => AbortSignal.timeout(180_000)

/** Counts what an import would add, without adding it. Like all requests here, it may reject. */
export function previewImport(rows: ImportedRows): Promise<ImportCounts> {
  return sendImport(rows, true)
}

/** Adds what the account doesn't have yet: everything, or nothing if it fails. */
export function importRows(rows: ImportedRows): Promise<ImportCounts> {
  return sendImport(rows, false)
}

async function sendImport({ categories, prayers }: ImportedRows, preview: boolean): Promise<ImportCounts> {
  const { data } = await rest
    .rpc('import_prayers', { data: { categories, prayers }, preview })
    .abortSignal(transferTimeout())
    .throwOnError()
  return parse(importCounts, data)
}

export async function fetchDeletionPreview(): Promise<DeletionPreview> {
  const { data } = await rest.rpc('preview_account_deletion').throwOnError()
  return parse(deletionPreview, data)
}

/** Deletes the signed-in user's account. Rejected unless the user has signed in within the last five minutes. */
export async function deleteAccount(): Promise<void> {
  await rest.rpc('delete_account').throwOnError()
}
