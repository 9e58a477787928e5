import type { Database } from '#shared/database.types.ts'

type Tables = Database['public']['Tables']

/** A category as an export has it: the account it belongs to is the file's. */
export type ExportedCategory = Omit<Tables['categories']['Row'], 'user_id'>

/** A prayer as an export has it. */
export type ExportedPrayer = Omit<Tables['prayers']['Row'], 'user_id'>

/** What an export holds, read and found to be in order. docs/export-format.md describes the file. */
export interface ExportFile {
  exported_at: string
  /** Read by people only: whatever is in it is shown as it is. */
  account: Readonly<Record<string, unknown>>
  categories: readonly ExportedCategory[]
  prayers: readonly ExportedPrayer[]
}

export const EXPORT_FORMAT = 'intercede-export'
export const EXPORT_VERSION = 1
