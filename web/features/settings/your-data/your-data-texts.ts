import type { DeletionPreview, ImportCounts } from '#web/data/account-data.ts'
import { countText } from '#web/lib/count-text.ts'

const PLURALS = { prayer: 'prayers', update: 'updates', category: 'categories' }

/** `3 prayers, 2 updates and 1 category`, without counts of zero; null if all are zero. */
function countsText(counts: { prayer: number; update?: number; category: number }): string | null {
  const parts = (['prayer', 'update', 'category'] as const).flatMap((noun) => {
    const count = counts[noun] ?? 0
    return count > 0 ? [countText(count, noun, PLURALS[noun])] : []
  })
  return parts.length === 0 ? null : new Intl.ListFormat('en-GB').format(parts)
}

function addedText(counts: ImportCounts): string | null {
  const rows = countsText({
    prayer: counts.prayers_added,
    update: counts.updates_added,
    category: counts.categories_added,
  })
  if (rows !== null) return rows
  return counts.prayed_days_added > 0 ? 'Days on which you prayed' : null
}

/** What an import would do. */
export function importPreviewTexts(counts: ImportCounts): { added: string | null; known: string | null } {
  const added = addedText(counts)
  const known = countsText({ prayer: counts.prayers_known, category: counts.categories_known })
  if (added === null && known === null) return { added: null, known: 'There is nothing in this file.' }
  if (added === null) return { added, known: 'Everything in this file is here already.' }
  const isOne = counts.prayers_known + counts.categories_known === 1
  return {
    added: `${added} will be added.`,
    known:
      known &&
      `${known} ${isOne ? 'is here already and stays as it is' : 'are here already and stay as they are'}.`,
  }
}

/** What an import has done. */
export function importedText(counts: ImportCounts): string {
  const added = addedText(counts)
  return added === null ? 'Everything was here already' : `${added} added`
}

/** What would be lost with the data on this device. */
export function unsavedText(changes: number): string {
  return `${countText(changes, 'change')} ${changes === 1 ? 'has' : 'have'} not been saved on the server yet, and would be lost.`
}

/** What deleting the account would do. */
export function deletionText(
  preview: Pick<DeletionPreview, 'prayers' | 'categories'>,
  email: string | null,
): string {
  const account = email === null ? 'your account' : `the account ${email}`
  return `This deletes ${account} with ${contentText(preview)}, and signs you out on every device. This action cannot be undone.`
}

function contentText({ prayers, categories }: Pick<DeletionPreview, 'prayers' | 'categories'>): string {
  const categoryCount = countText(categories, 'category', 'categories')
  if (prayers > 0) return `${countText(prayers, 'prayer')} in ${categoryCount}`
  return categories === 0 ? 'nothing in it' : `its ${categoryCount}, which hold no prayers`
}
