import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { type Category, type CategoryActions, CATEGORY_HAS_PRAYERS } from '#web/data/categories.ts'
import type { CountedPrayers } from './counted-prayers.ts'
import type { ListState } from '#web/data/use-list.ts'

/** Said on the screen where somebody wants to delete a category that holds prayers. */
const CONTAINS_PRAYERS =
  'This category cannot be deleted because it contains prayers. Please move or delete the prayers first.'

/**
 * Deleting a category: first it is made sure that it is empty, then it is asked, then it is done. Where it holds prayers, the refusal
 * stays until it is dismissed.
 */
export function useCategoryDeletion(
  remove: CategoryActions['remove'],
  categories: Pick<ListState<Category>, 'error'>,
  prayers: CountedPrayers,
) {
  const announce = useAnnounce()
  const [asking, setAsking] = useState<Category | null>(null)
  const [refused, setRefused] = useState(false)

  const refuse = () => {
    setRefused(true)
    const behavior = window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'
    window.scrollTo({ top: 0, behavior })
  }
  const dismiss = () => {
    setRefused(false)
    categories.error?.dismiss()
  }
  const ask = async (category: Category) => {
    const count = await prayers.count(category.id).catch(() => null)
    // Where the prayers could not be fetched, their own banner says so.
    if (count === 0) setAsking(category)
    else if (count !== null) refuse()
  }
  const confirm = async () => {
    if (!asking) return
    // The focus is back in the row before the row goes, and moves on to the next one from there.
    flushSync(() => setAsking(null))
    const result = await remove(asking.id)
    if (result.success) announce('Category deleted')
    else if (result.error === CATEGORY_HAS_PRAYERS) {
      refuse()
      prayers.refetch()
    }
  }
  return {
    asking,
    refusal: refused ? { message: CONTAINS_PRAYERS, retry: null, dismiss } : null,
    ask,
    confirm,
    cancel: () => setAsking(null),
  }
}
