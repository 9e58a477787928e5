import { useState } from 'react'
import { flushSync } from 'react-dom'
import { type Category, type CategoryActions, CATEGORY_HAS_PRAYERS } from '#web/data/categories.ts'
import type { ListError } from '#web/data/use-list.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'

const CONTAINS_PRAYERS =
  'This category cannot be deleted because it contains prayers. Please move or delete the prayers first.'

interface CategoryDeletionOptions {
  deleteCategory: CategoryActions['remove']
  /** Rejects if the prayers cannot be fetched. */
  countPrayers: (categoryId: string) => Promise<number>
  refetchPrayers: () => void
  /** The error of the list of categories, which a rejected deletion sets too. */
  categoriesError: ListError | null
}

/**
 * Deletes a category: `request` checks that it has no prayers, then the user confirms, then it is deleted. If it has
 * prayers, `error` is set until it is dismissed.
 */
export function useCategoryDeletion(options: CategoryDeletionOptions) {
  const { deleteCategory, countPrayers, refetchPrayers, categoriesError } = options
  const announce = useAnnounce()
  const [unconfirmed, setUnconfirmed] = useState<Category | null>(null)
  const [isRejected, setIsRejected] = useState(false)

  const reject = () => {
    setIsRejected(true)
    const behavior = window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'
    window.scrollTo({ top: 0, behavior })
  }
  const dismiss = () => {
    setIsRejected(false)
    categoriesError?.dismiss()
  }
  const request = async (category: Category) => {
    // If the prayers cannot be fetched, the error of their list is shown.
    const count = await countPrayers(category.id).catch(() => null)
    if (count === 0) setUnconfirmed(category)
    else if (count !== null) reject()
  }
  const confirm = async () => {
    if (!unconfirmed) return
    // Closing the dialog first returns the focus to the row, from where it moves on when the row is removed.
    flushSync(() => setUnconfirmed(null))
    const result = await deleteCategory(unconfirmed.id)
    if (result.success) announce('Category deleted')
    else if (result.error === CATEGORY_HAS_PRAYERS) {
      reject()
      refetchPrayers()
    }
  }
  return {
    /** The category whose deletion the user has yet to confirm. */
    unconfirmed,
    error: isRejected ? { message: CONTAINS_PRAYERS, retry: null, dismiss } : null,
    request,
    confirm,
    cancel: () => setUnconfirmed(null),
  }
}
