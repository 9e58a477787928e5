import { boolean, type InferOutput, number, object, parse } from 'valibot'
import { isRecord } from '#shared/is-record.ts'
import { causeOf } from '#web/lib/error-message.ts'
import { TRANSFER_TIMEOUT_MS } from '#web/lib/fetch-with-timeout.ts'
import { timeout } from '#web/lib/timeout.ts'
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

/** Counts what an import would add, without adding it. Like all requests here, it may reject. */
export function previewImport(rows: ImportedRows): Promise<ImportCounts> {
  return sendImport(rows, true)
}

/**
 * Adds what the account doesn't have yet: everything, or nothing if it fails. If there is no response, the rows may have been
 * added all the same: then asks whether the account has all of them now.
 *
 * @param expected what the preview said; also returned if the rows were added by an import that got no response
 */
export async function importRows(rows: ImportedRows, expected: ImportCounts): Promise<ImportCounts> {
  try {
    const counts = await sendImport(rows, false)
    return isNothingAdded(counts) ? expected : counts
  } catch (failure) {
    if (isRejected(failure)) throw failure
    const missing = await previewOnceIdle(rows).catch(() => null)
    if (missing === null || !isNothingAdded(missing)) throw failure
    return expected
  }
}

function isNothingAdded(counts: ImportCounts): boolean {
  const { categories_added, prayers_added, updates_added, prayed_days_added } = counts
  return categories_added + prayers_added + updates_added + prayed_days_added === 0
}

/** Whether the database or the limits of the server have certainly kept an import from being carried out. */
function isRejected(failure: unknown): boolean {
  const code = codeOf(failure)
  return causeOf(code) === 'request' || code === 'over_capacity' || code === IN_PROGRESS
}

/** The server carries out one import of an account at a time, and may not have finished the one that got no response. */
const IN_PROGRESS = 'import_in_progress'
/** For how long to wait for it: longer than the server lets it take. */
const PREVIEWS = { count: 30, every: 5_000 }

async function previewOnceIdle(rows: ImportedRows): Promise<ImportCounts> {
  for (let count = 1; ; count += 1) {
    try {
      return await previewImport(rows)
    } catch (failure) {
      if (codeOf(failure) !== IN_PROGRESS || count === PREVIEWS.count) throw failure
    }
    await timeout(PREVIEWS.every)
  }
}

function codeOf(failure: unknown): string {
  return isRecord(failure) && typeof failure['code'] === 'string' ? failure['code'] : ''
}

async function sendImport({ categories, prayers }: ImportedRows, preview: boolean): Promise<ImportCounts> {
  const { data } = await rest
    .rpc('import_prayers', { data: { categories, prayers }, preview })
    .abortSignal(AbortSignal.timeout(TRANSFER_TIMEOUT_MS))
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
