import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { CATEGORY_HAS_PRAYERS } from '#web/data/categories.ts'
import type { ActionResult } from '#web/data/make-change.ts'
import type { ListError } from '#web/data/rows.ts'
import { sampleCategory } from '#web/data/sample-rows.test-data.ts'
import { useCategoryDeletion } from './use-category-deletion.ts'

const family = sampleCategory()
const deleteCategory = vi.fn<(id: string) => Promise<ActionResult>>()
const countPrayers = vi.fn<(id: string) => Promise<number>>()
const dismissListError = vi.fn<() => void>()
const scrollTo = vi.fn<(options: ScrollToOptions) => void>()

beforeEach(() => {
  countPrayers.mockResolvedValue(0)
  vi.stubGlobal('scrollTo', scrollTo)
})

function renderDeletion() {
  const { result, rerender } = renderHook<ReturnType<typeof useCategoryDeletion>, ListError | null>(
    (categoriesError) => useCategoryDeletion({ deleteCategory, countPrayers, categoriesError }),
    { initialProps: null },
  )
  return {
    current: () => result.current,
    request: () => act(() => result.current.request(family)),
    confirm: () => act(() => result.current.confirm()),
    dismiss: () => act(() => result.current.error?.dismiss()),
    setListError: (message: string) => rerender({ message, retry: null, dismiss: dismissListError }),
  }
}

it('deletes an empty category after confirmation', async () => {
  deleteCategory.mockResolvedValue({ success: true })
  const { current, request, confirm } = renderDeletion()
  await request()
  expect(current().unconfirmed).toBe(family)
  expect(deleteCategory).not.toHaveBeenCalled()
  await confirm()
  expect(deleteCategory).toHaveBeenCalledWith('family')
  expect(current()).toMatchObject({ unconfirmed: null, error: null })
})

it('rejects the deletion of a category with prayers before confirmation, and scrolls to the error', async () => {
  countPrayers.mockResolvedValue(2)
  const { current, request, dismiss } = renderDeletion()
  await request()
  expect(current().unconfirmed).toBeNull()
  expect(current().error?.message).toBe(
    'This category cannot be deleted because it contains prayers. Please move or delete the prayers first.',
  )
  expect(current().prevented).toBe(family)
  expect(scrollTo).toHaveBeenCalledWith({ top: 0, behavior: 'smooth' })
  dismiss()
  expect(current()).toMatchObject({ error: null, prevented: null })
})

it('shows the same error if the server finds a prayer of another device in it, and leaves others to the list', async () => {
  deleteCategory.mockResolvedValue({ success: true })
  const { current, request, confirm, dismiss, setListError } = renderDeletion()
  await request()
  await confirm()
  setListError('Failed to delete category')
  expect(current().error).toBeNull()
  setListError(CATEGORY_HAS_PRAYERS)
  expect(current().error?.message).toContain('cannot be deleted because it contains prayers')
  expect(current().prevented).toBe(family)
  expect(scrollTo).toHaveBeenCalledWith({ top: 0, behavior: 'smooth' })
  dismiss()
  expect(dismissListError).toHaveBeenCalledTimes(1)
})

it('does nothing if the prayers cannot be counted', async () => {
  countPrayers.mockRejectedValue(new Error('server down'))
  const { current, request } = renderDeletion()
  await request()
  expect(current()).toMatchObject({ unconfirmed: null, error: null })
})
