import type { DeletionPreview, ImportCounts } from '#web/data/account-data.ts'

const FORMS = {
  prayer: ['prayer', 'prayers'],
  category: ['category', 'categories'],
  change: ['change', 'changes'],
} as const

/** `1 prayer`, `2 prayers`. */
export function countText(count: number, noun: keyof typeof FORMS): string {
  const [singular, plural] = FORMS[noun]
  return `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`
}

/** `2 prayers and 1 category`, without counts of zero; null if both are zero. */
function bothCounts(prayers: number, categories: number): string | null {
  const parts = [
    prayers > 0 && countText(prayers, 'prayer'),
    categories > 0 && countText(categories, 'category'),
  ].filter((part) => part !== false)
  return parts.length === 0 ? null : parts.join(' and ')
}

/** What an import would do. */
export function importPreviewTexts(counts: ImportCounts): { added: string | null; known: string | null } {
  const added = bothCounts(counts.prayers_added, counts.categories_added)
  const known = bothCounts(counts.prayers_known, counts.categories_known)
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
  const added = bothCounts(counts.prayers_added, counts.categories_added)
  return added === null ? 'Everything was here already' : `${added} added`
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
  const categoryCount = countText(categories, 'category')
  if (prayers > 0) return `${countText(prayers, 'prayer')} in ${categoryCount}`
  return categories === 0 ? 'nothing in it' : `its ${categoryCount}, which hold no prayers`
}
