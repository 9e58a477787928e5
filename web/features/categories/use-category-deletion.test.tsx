import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { type ActionResult, CATEGORY_HAS_PRAYERS } from '#web/data/changes.ts'
import type { ListError } from '#web/data/rows.ts'
import { sampleCategory } from '#web/data/sample-rows.test-data.ts'
import { useCategoryDeletion } from './use-category-deletion.ts'

const family = sampleCategory()
const deleteCategory = vi.fn<(id: string) => Promise<ActionResult>>()
const countPrayers = vi.fn<(id: string) => Promise<number>>()
const dismissListError = vi.fn<() => void>()
const scrollTo = vi.fn<(options: ScrollToOptions) => void>()

beforeEach(() => {
  for (const mock of [deleteCategory, countPrayers, dismissListError, scrollTo]) mock.mockReset()
  vi.stubGlobal('scrollTo', scrollTo)
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
})

function renderDeletion() {
  const options = { deleteCategory, countPrayers }
  const { result, rerender } = renderHook<ReturnType<typeof useCategoryDeletion>, ListError | null>(
    (categoriesError: ListError | null) => useCategoryDeletion({ ...options, categoriesError }),
    { initialProps: null },
  )
  const setListError = (message: string) => rerender({ message, retry: null, dismiss: dismissListError })
  return { result, setListError }
}

it('deletes an empty category after confirmation', async () => {
  countPrayers.mockResolvedValue(0)
  deleteCategory.mockResolvedValue({ success: true })
  const { result } = renderDeletion()
  await act(() => result.current.request(family))
  expect(result.current.unconfirmed).toBe(family)
  expect(deleteCategory).not.toHaveBeenCalled()
  await act(() => result.current.confirm())
  expect(deleteCategory).toHaveBeenCalledWith('family')
  expect(result.current).toMatchObject({ unconfirmed: null, error: null })
})

it('rejects the deletion of a category with prayers before confirmation, and scrolls to the error', async () => {
  countPrayers.mockResolvedValue(2)
  const { result } = renderDeletion()
  await act(() => result.current.request(family))
  expect(result.current.unconfirmed).toBeNull()
  expect(result.current.error?.message).toBe(
    'This category cannot be deleted because it contains prayers. Please move or delete the prayers first.',
  )
  expect(scrollTo).toHaveBeenCalledWith({ top: 0, behavior: 'smooth' })
  act(() => result.current.error?.dismiss())
  expect(result.current.error).toBeNull()
})

it('shows the same error if the server finds a prayer of another device in it', async () => {
  countPrayers.mockResolvedValue(0)
  deleteCategory.mockResolvedValue({ success: true })
  const { result, setListError } = renderDeletion()
  await act(() => result.current.request(family))
  await act(() => result.current.confirm())
  expect(result.current.error).toBeNull()
  act(() => setListError(CATEGORY_HAS_PRAYERS))
  expect(result.current.error?.message).toContain('cannot be deleted because it contains prayers')
  expect(scrollTo).toHaveBeenCalledWith({ top: 0, behavior: 'smooth' })
  act(() => result.current.error?.dismiss())
  expect(dismissListError).toHaveBeenCalledTimes(1)
})

it('leaves other errors to the list of categories', async () => {
  countPrayers.mockResolvedValue(0)
  deleteCategory.mockResolvedValue({ success: false, error: 'Failed to delete category' })
  const { result, setListError } = renderDeletion()
  await act(() => result.current.request(family))
  await act(() => result.current.confirm())
  act(() => setListError('Failed to delete category'))
  expect(result.current.error).toBeNull()
})

it('does nothing if the prayers cannot be counted', async () => {
  countPrayers.mockRejectedValue(new Error('server down'))
  const { result } = renderDeletion()
  await act(() => result.current.request(family))
  expect(result.current).toMatchObject({ unconfirmed: null, error: null })
})
