import { useContext, useMemo } from 'react'
import { UserError } from '#web/lib/error-message.ts'
import { type ImportCounts, type ImportedRows, importRows, previewImport } from './account-data.ts'
import { fetchSupplement, NOT_ARRIVED } from './export-data.ts'
import { placeImport } from './place-import.ts'
import { UserDataContext } from './rows.ts'

/** Importing a file: counting what it would add, and adding it. Both may reject. */
export interface ImportActions {
  preview: (rows: ImportedRows) => Promise<ImportCounts>
  /** @param expected what the preview said */
  add: (rows: ImportedRows, expected: ImportCounts) => Promise<ImportCounts>
}

/** The database imports what is not encrypted; otherwise this device compares the texts, and seals them. */
export function useImportActions(): ImportActions {
  const data = useContext(UserDataContext)
  return useMemo(() => {
    const place = async (rows: ImportedRows) => {
      const sync = await data?.opened
      if (!data || !sync) return null
      // Until it is known whether the account is encrypted, the texts stay here.
      await sync.syncNow()
      const account = await sync.encryption()
      await account.check()
      if (account.status().state === 'off') return null
      const supplement = await fetchSupplement()
      if (supplement === null) throw new UserError('The server cannot be reached. Please try again.')
      if (!sync.status().complete) throw new UserError(NOT_ARRIVED)
      const own = {
        categories: sync.rows('categories'),
        prayers: sync.rows('prayers'),
        updates: sync.rows('prayer_updates'),
        prayedDays: supplement.prayed_days,
      }
      return { account, ...placeImport(rows, own, data.userId) }
    }
    return {
      preview: async (rows) => (await place(rows))?.counts ?? previewImport(rows),
      add: async (rows, expected) => {
        const placed = await place(rows)
        if (!placed) return importRows(rows, expected)
        await placed.account.importRows(placed.rows)
        return placed.counts
      },
    }
  }, [data])
}
