import { gzipSync } from 'node:zlib'
import type { Page, Request } from '@playwright/test'

/** Limits for a first visit. Sizes are bytes after gzip; 1 KB is 1,000 bytes. */
interface Budget {
  script: number
  style: number
  font: number
  /** All requests until the screen is complete and usable, without the icon of the window: not every browser loads it, and none waits for it. */
  requests: number
}

/** React, react-dom and auth-js alone are 87 KB. */
export const SIGN_IN_BUDGET: Budget = { script: 110_000, style: 12_000, font: 40_000, requests: 7 }

/** The first screen of a user who is already signed in: without auth-js. */
export const DASHBOARD_BUDGET: Pick<Budget, 'script'> = { script: 150_000 }

/** What a visit has loaded. */
export interface PageWeight extends Budget {
  /** URLs of requests to other origins than the page's. */
  foreign: string[]
}

/** Keeps the page from prefetching chunks of later screens. */
const NEVER_IDLE = 'window.requestIdleCallback = () => 0'

/** Measures everything that a new page loads until `visit` resolves. */
export async function weighVisit(page: Page, visit: () => Promise<unknown>): Promise<PageWeight> {
  const requests: Request[] = []
  const record = (request: Request) => requests.push(request)
  await page.addInitScript({ content: NEVER_IDLE })
  page.on('request', record)
  await visit()
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  page.off('request', record)
  const { origin } = new URL(page.url())
  const sizeOf = async (type: string, measure: (body: Buffer) => number) => {
    const bodies = await Promise.all(
      requests.filter((request) => request.resourceType() === type).map(bodyOf),
    )
    return bodies.reduce((sum, body) => sum + measure(body), 0)
  }
  return {
    script: await sizeOf('script', gzippedSize),
    style: await sizeOf('stylesheet', gzippedSize),
    // The font format is compressed by itself.
    font: await sizeOf('font', (body) => body.length),
    requests: requests.filter((request) => !isIcon(request)).length,
    foreign: requests.map((request) => request.url()).filter((url) => !url.startsWith(`${origin}/`)),
  }
}

function isIcon(request: Request): boolean {
  return new URL(request.url()).pathname.startsWith('/favicon.')
}

async function bodyOf(request: Request): Promise<Buffer> {
  const response = await request.response()
  if (response === null) throw new Error(`${request.url()} got no response.`)
  return response.body()
}

/** With the compression level of the build. */
function gzippedSize(body: Buffer): number {
  return gzipSync(body, { level: 9 }).length
}
