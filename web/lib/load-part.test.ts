import { beforeEach, expect, it, vi } from 'vitest'
import { loadPart } from './load-part.ts'

class NavigationTiming {
  type = 'navigate'
}

const reload = vi.fn()
const notFetched = () => Promise.reject(new Error('not fetched'))

function aPage({
  opened,
  answer,
}: {
  opened: 'navigate' | 'reload'
  answer: () => Promise<{ ok: boolean }>
}) {
  vi.stubGlobal('PerformanceNavigationTiming', NavigationTiming)
  const page = Object.assign(new NavigationTiming(), { type: opened })
  vi.stubGlobal('performance', { now: Date.now, getEntriesByType: () => [page] })
  vi.stubGlobal('location', { href: 'http://localhost/dashboard', reload })
  vi.stubGlobal('fetch', vi.fn(answer))
}

beforeEach(() => reload.mockReset())

it('is the part', async () => {
  expect(await loadPart(async () => 'part')).toBe('part')
})

it('loads the page again where the part did not arrive and the server answers', async () => {
  aPage({ opened: 'navigate', answer: async () => ({ ok: true }) })
  void loadPart(notFetched)
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
})

it('says that the part did not arrive where the server does not answer', async () => {
  aPage({ opened: 'navigate', answer: () => Promise.reject(new Error('no network')) })
  await expect(loadPart(notFetched)).rejects.toThrow('not fetched')
  aPage({ opened: 'navigate', answer: async () => ({ ok: false }) })
  await expect(loadPart(notFetched)).rejects.toThrow('not fetched')
  expect(reload).not.toHaveBeenCalled()
})

it('never loads a page again that was just loaded again', async () => {
  aPage({ opened: 'reload', answer: async () => ({ ok: true }) })
  await expect(loadPart(notFetched)).rejects.toThrow('not fetched')
  expect(reload).not.toHaveBeenCalled()
})
