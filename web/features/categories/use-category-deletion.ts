import { useEffect, useState } from 'react'
import type { Category } from '#web/data/categories.ts'
import type { CategoryActions } from '#web/data/category-actions.ts'
import { CATEGORY_HAS_PRAYERS } from '#web/data/categories.ts'
import type { ListError } from '#web/data/rows.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'

export const CONTAINS_PRAYERS =
  'This category cannot be deleted because it contains prayers. Please move or delete the prayers first.'

interface CategoryDeletionOptions {
  deleteCategory: CategoryActions['remove']
  /** Rejects if the prayers cannot be fetched. */
  countPrayers: (categoryId: string) => Promise<number>
  /** The error of the list of categories, which a rejected deletion sets too, even if the server rejects it later. */
  categoriesError: ListError | null
}

/**
 * Deletes a category: `request` checks that it has no prayers, then the user confirms, then it is deleted. If it has
 * prayers, `error` is set until it is dismissed.
 */
export function useCategoryDeletion(options: CategoryDeletionOptions) {
  const { deleteCategory, countPrayers, categoriesError } = options
  const announce = useAnnounce()
  const [unconfirmed, setUnconfirmed] = useState<Category | null>(null)
  /** The category that could not be deleted, or may turn out so. */
  const [attempted, setAttempted] = useState<Category | null>(null)
  const [isPrevented, setIsPrevented] = useState(false)
  const isRejected = isPrevented || categoriesError?.message === CATEGORY_HAS_PRAYERS
  useEffect(() => {
    if (!isRejected) return
    const behavior = window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'
    window.scrollTo({ top: 0, behavior })
  }, [isRejected])

  const dismiss = () => {
    setIsPrevented(false)
    categoriesError?.dismiss()
  }
  const request = async (category: Category) => {
    // If the prayers cannot be fetched, the error of their list is shown.
    const count = await countPrayers(category.id).catch(() => null)
    setAttempted(category)
    if (count === 0) setUnconfirmed(category)
    else if (count !== null) setIsPrevented(true)
  }
  const confirm = async () => {
    if (!unconfirmed) return
    setUnconfirmed(null)
    const result = await deleteCategory(unconfirmed.id)
    if (result.success) announce('Category deleted')
  }
  return {
    /** The category whose deletion the user has yet to confirm. */
    unconfirmed,
    error: isRejected ? { message: CONTAINS_PRAYERS, retry: null, dismiss } : null,
    /** The category that the error is about. */
    prevented: isRejected ? attempted : null,
    request,
    confirm,
    cancel: () => setUnconfirmed(null),
  }
}
