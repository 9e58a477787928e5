import { beforeEach, describe, expect, it, vi } from 'vitest'
import { PageCopy } from './page-copy.ts'

const BUILD = { id: 'first', files: ['/assets/index-1.js', '/assets/index-1.css', '/assets/terms-1.js'] }
const OWN_PAGE =
  '<script type="module" crossorigin src="/assets/index-1.js"></script><link rel="stylesheet" href="/assets/index-1.css">'

/** Caches by name, each with its responses by path. */
let stored: Map<string, Map<string, Response>>

beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('caches', {
    open: async (name: string) => {
      const cache = stored.get(name) ?? new Map<string, Response>()
      stored.set(name, cache)
      return {
        match: async (path: string) => cache.get(path)?.clone(),
        put: async (path: string, response: Response) => void cache.set(path, response),
      }
    },
    keys: async () => [...stored.keys()],
    delete: async (name: string) => stored.delete(name),
  })
})

function respondWith(body: string, init: ResponseInit = {}, redirected = false): void {
  const response = Object.defineProperty(new Response(body, init), 'redirected', { value: redirected })
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => response),
  )
}

describe('a copy of the page', () => {
  it('is stored, with the files that it starts with', async () => {
    const copy = new PageCopy(BUILD)
    expect(await copy.read()).toBeNull()
    respondWith(OWN_PAGE)
    expect(await copy.update()).toBe(true)
    const read = await copy.read()
    expect(read?.files).toEqual(['/assets/index-1.js', '/assets/index-1.css'])
    expect(await read?.page.text()).toBe(OWN_PAGE)
  })

  it.each([
    ['the page of another release', OWN_PAGE.replaceAll('-1', '-2'), {}, false],
    ['a page of a mixture of releases', OWN_PAGE.replace('-1.css', '-2.css'), {}, false],
    ['the sign-in page of a network', '<h1>Welcome to our hotel</h1>', {}, false],
    ['an error', OWN_PAGE, { status: 503 }, false],
    ['a redirected page, which browsers reject for navigation', OWN_PAGE, {}, true],
  ])('is not replaced by %s', async (_case, body, init, redirected) => {
    const copy = new PageCopy(BUILD)
    respondWith(OWN_PAGE)
    await copy.update()
    respondWith(body, init, redirected)
    expect(await copy.update()).toBe(false)
    expect(await (await copy.read())?.page.text()).toBe(OWN_PAGE)
  })

  it('of another build stays until its worker is gone', async () => {
    const first = new PageCopy(BUILD)
    respondWith(OWN_PAGE)
    await first.update()
    const second = new PageCopy({ id: 'second', files: ['/assets/index-2.js'] })
    respondWith('<script src="/assets/index-2.js"></script>')
    await second.update()
    expect(await first.read()).not.toBeNull()
    await second.deleteOthers()
    expect([...stored.keys()]).toEqual(['intercede-page-second'])
  })
})
