import { PAGE_CACHE } from '#web/lib/loading/app-shell.ts'

/** One build of the app. */
export interface Build {
  id: string
  /** Paths of all its hashed files. */
  files: readonly string[]
}

const PAGE = '/'

/**
 * The copy of the page that belongs to a build. The page has no hash in its name, since the server puts the configuration
 * into it: the same build can have another page tomorrow. Each build has a cache of its own, so that a build that is being
 * installed does not replace the page of the one in use.
 */
export class PageCopy {
  readonly #cacheName: string
  readonly #files: ReadonlySet<string>

  constructor(build: Build) {
    this.#cacheName = PAGE_CACHE + build.id
    this.#files = new Set(build.files)
  }

  /** The stored page, with the paths of the files that it starts with; null if there is none, or it starts nothing. */
  async read(): Promise<{ page: Response; files: readonly string[] } | null> {
    const cache = await caches.open(this.#cacheName)
    const page = await cache.match(PAGE, { ignoreVary: true })
    if (!page) return null
    const files = filesOf(await page.clone().text())
    return files.length > 0 ? { page, files } : null
  }

  /**
   * Fetches the page and stores it if it belongs to this build. Returns false for any other response: the page of another
   * release, an error, or what a proxy or a network's sign-in page sends instead. Rejects without a network.
   */
  async update(): Promise<boolean> {
    const page = await fetch(PAGE, { cache: 'no-cache' })
    const files = filesOf(await page.clone().text())
    const isOwn =
      page.ok && !page.redirected && files.length > 0 && files.every((file) => this.#files.has(file))
    if (isOwn) await (await caches.open(this.#cacheName)).put(PAGE, page)
    return isOwn
  }

  async delete(): Promise<void> {
    await caches.delete(this.#cacheName)
  }

  /** Deletes the pages of other builds. */
  async deleteOthers(): Promise<void> {
    for (const name of await caches.keys()) {
      if (name.startsWith(PAGE_CACHE) && name !== this.#cacheName) await caches.delete(name)
    }
  }
}

/** The hashed files that a page loads before it can start. */
function filesOf(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file = '']) => file)
}
