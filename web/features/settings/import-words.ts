import { countedTogether } from './counted.ts'
import type { ImportCounts } from './account-data-requests.ts'

/** What importing would do, in sentences. */
export function previewWords(counts: ImportCounts): { added: string | null; known: string | null } {
  const added = countedTogether(counts.prayers_added, counts.categories_added)
  const known = countedTogether(counts.prayers_known, counts.categories_known)
  if (added === null && known === null) return { added: null, known: 'There is nothing in this file.' }
  if (added === null) return { added, known: 'Everything in this file is here already.' }
  const one = counts.prayers_known + counts.categories_known === 1
  return {
    added: `${added} will be added.`,
    known:
      known &&
      `${known} ${one ? 'is here already and stays as it is' : 'are here already and stay as they are'}.`,
  }
}

/** What importing has done. */
export function importedWords(counts: ImportCounts): string {
  const added = countedTogether(counts.prayers_added, counts.categories_added)
  return added === null ? 'Everything was here already' : `${added} added`
}
