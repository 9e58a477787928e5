import { counted } from './counted.ts'
import type { DeletionPreview } from './account-data-requests.ts'

/** Exactly what deleting the account means. */
export function consequence(
  preview: Pick<DeletionPreview, 'prayers' | 'categories'>,
  account: string,
): string {
  return `This deletes the account ${account} with ${contentOf(preview)}, and signs you out on every device. This action cannot be undone.`
}

function contentOf({ prayers, categories }: Pick<DeletionPreview, 'prayers' | 'categories'>): string {
  const where = counted(categories, 'category')
  if (prayers === 0) return categories === 0 ? 'nothing in it' : `its ${where}, which hold no prayers`
  return `${counted(prayers, 'prayer')} in ${where}`
}
