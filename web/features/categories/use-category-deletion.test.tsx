import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { ActionResult } from '#web/data/change-list.ts'
import { CATEGORY_HAS_PRAYERS } from '#web/data/categories.ts'
import { sampleCategory } from './sample-category.test-data.ts'
import { useCategoryDeletion } from './use-category-deletion.ts'

const family = sampleCategory()
const remove = vi.fn<(id: string) => Promise<ActionResult>>()
const count = vi.fn<(id: string) => Promise<number>>()
const refetch = vi.fn<() => void>()
const dismissProblem = vi.fn<() => void>()
const scrollTo = vi.fn<(options: ScrollToOptions) => void>()

beforeEach(() => {
  for (const mock of [remove, count, refetch, dismissProblem, scrollTo]) mock.mockReset()
  vi.stubGlobal('scrollTo', scrollTo)
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
})

function deletion() {
  const categories = { error: { message: CATEGORY_HAS_PRAYERS, retry: null, dismiss: dismissProblem } }
  const prayers = { counts: null, count, refetch, error: null }
  return renderHook(() => useCategoryDeletion(remove, categories, prayers)).result
}

it('asks before an empty category is deleted', async () => {
  count.mockResolvedValue(0)
  remove.mockResolvedValue({ success: true })
  const result = deletion()
  await act(() => result.current.ask(family))
  expect(result.current.asking).toBe(family)
  expect(remove).not.toHaveBeenCalled()
  await act(() => result.current.confirm())
  expect(remove).toHaveBeenCalledWith('family')
  expect(result.current).toMatchObject({ asking: null, refusal: null })
})

it('does not even ask when the category turns out to hold prayers, says so and scrolls up smoothly', async () => {
  count.mockResolvedValue(2)
  const result = deletion()
  await act(() => result.current.ask(family))
  expect(result.current.asking).toBeNull()
  expect(result.current.refusal?.message).toBe(
    'This category cannot be deleted because it contains prayers. Please move or delete the prayers first.',
  )
  expect(scrollTo).toHaveBeenCalledWith({ top: 0, behavior: 'smooth' })
  act(() => result.current.refusal?.dismiss())
  expect(result.current.refusal).toBeNull()
})

it('says so as well when a prayer came in between, and counts the prayers anew', async () => {
  count.mockResolvedValue(0)
  remove.mockResolvedValue({ success: false, error: CATEGORY_HAS_PRAYERS })
  const result = deletion()
  await act(() => result.current.ask(family))
  await act(() => result.current.confirm())
  expect(result.current.refusal).not.toBeNull()
  expect(refetch).toHaveBeenCalledTimes(1)
  act(() => result.current.refusal?.dismiss())
  expect(dismissProblem).toHaveBeenCalledTimes(1)
})

it('leaves other failures to the banner', async () => {
  count.mockResolvedValue(0)
  remove.mockResolvedValue({ success: false, error: 'Failed to delete category' })
  const result = deletion()
  await act(() => result.current.ask(family))
  await act(() => result.current.confirm())
  expect(result.current.refusal).toBeNull()
})

it('does nothing where the prayers can not be counted: their own banner says why', async () => {
  count.mockRejectedValue(new Error('server gone'))
  const result = deletion()
  await act(() => result.current.ask(family))
  expect(result.current).toMatchObject({ asking: null, refusal: null })
})
