import { act, render } from '@testing-library/react'
import { Suspense } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { importOrReload, lazyChunk, lazyComponent } from './lazy-chunk.ts'
import { importOrOfferReload, newVersion } from './reload.ts'

const failedImport = () => Promise.reject(new Error('not loaded'))

describe('a lazy chunk', () => {
  it('is loaded once, however often it is requested', async () => {
    const importChunk = vi.fn(async () => 'chunk')
    const chunk = lazyChunk(importChunk)
    expect(chunk.loaded).toBeNull()
    expect(await Promise.all([chunk.load(), chunk.load()])).toEqual(['chunk', 'chunk'])
    expect(await chunk.load()).toBe('chunk')
    expect(chunk.loaded).toBe('chunk')
    expect(importChunk).toHaveBeenCalledTimes(1)
  })

  it('is requested again after it failed to load', async () => {
    const chunk = lazyChunk(
      vi.fn<() => Promise<string>>().mockImplementationOnce(failedImport).mockResolvedValueOnce('chunk'),
    )
    await expect(chunk.load()).rejects.toThrow('not loaded')
    expect(chunk.loaded).toBeNull()
    expect(await chunk.load()).toBe('chunk')
  })
})

describe('a lazy component', () => {
  function shown(Component: ReturnType<typeof lazyGreeting>) {
    const { container } = render(
      <Suspense fallback="Loading">
        <Component name="Anna" />
      </Suspense>,
    )
    return () => container.textContent
  }

  const lazyGreeting = () =>
    lazyComponent(
      async () =>
        ({ name }: { name: string }) =>
          `Hello, ${name}`,
    )

  it('is loaded when it is rendered', async () => {
    const text = shown(lazyGreeting())
    expect(text()).toBe('Loading')
    await act(async () => {})
    expect(text()).toBe('Hello, Anna')
  })

  it('is rendered without a fallback if it was preloaded', async () => {
    const Greeting = lazyGreeting()
    Greeting.preload()
    await Promise.resolve()
    await Promise.resolve()
    expect(shown(Greeting)()).toBe('Hello, Anna')
  })
})

describe('an import that is needed at once', () => {
  class NavigationTiming {
    type = 'navigate'
  }

  const reload = vi.fn()

  function stubPage(openedBy: 'navigate' | 'reload', respond: () => Promise<{ ok: boolean }>) {
    vi.stubGlobal('PerformanceNavigationTiming', NavigationTiming)
    const page = Object.assign(new NavigationTiming(), { type: openedBy })
    vi.stubGlobal('performance', { now: Date.now, getEntriesByType: () => [page] })
    vi.stubGlobal('location', { href: 'http://localhost/dashboard', reload })
    vi.stubGlobal('fetch', vi.fn(respond))
  }

  it('resolves to what was imported', async () => {
    expect(await importOrReload(async () => 'chunk')).toBe('chunk')
  })

  it('reloads the page when the import fails and the server responds', async () => {
    stubPage('navigate', async () => ({ ok: true }))
    void importOrReload(failedImport)
    await expect.poll(() => reload.mock.calls).toHaveLength(1)
  })

  it('rejects when the server does not respond', async () => {
    stubPage('navigate', () => Promise.reject(new Error('no network')))
    await expect(importOrReload(failedImport)).rejects.toThrow('not loaded')
    stubPage('navigate', async () => ({ ok: false }))
    await expect(importOrReload(failedImport)).rejects.toThrow('not loaded')
    expect(reload).not.toHaveBeenCalled()
  })

  it('never reloads a page that has just been reloaded', async () => {
    stubPage('reload', async () => ({ ok: true }))
    await expect(importOrReload(failedImport)).rejects.toThrow('not loaded')
    expect(reload).not.toHaveBeenCalled()
  })

  it('offers to reload the page, which cannot go on without it, once the server responds', async () => {
    stubPage('navigate', () => Promise.reject(new Error('no network')))
    await expect(importOrOfferReload(failedImport)).rejects.toThrow('not loaded')
    expect(newVersion.get()).toBeNull()
    stubPage('navigate', async () => ({ ok: true }))
    await expect(importOrOfferReload(failedImport)).rejects.toThrow('not loaded')
    await expect.poll(() => newVersion.get()).not.toBeNull()
    newVersion.get()?.()
    await expect.poll(() => reload.mock.calls).toHaveLength(1)
  })
})
