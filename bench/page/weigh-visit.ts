import { gzipSync } from 'node:zlib'
import type { Page, Request } from '@playwright/test'
import type { Budget } from './budgets.ts'

/** What a visit has cost, in the terms of its budget. */
export interface Weight extends Budget {
  /** Whatever was asked of another origin than the page's. */
  foreign: string[]
}

/** A browser that never has time to spare, so that nothing is fetched ahead for a screen that comes later. */
const NEVER_IDLE = 'window.requestIdleCallback = () => 0'

/** Weighs everything that a new page asks for until `visit` says that its screen is complete. */
export async function weighVisit(page: Page, visit: () => Promise<unknown>): Promise<Weight> {
  const requests: Request[] = []
  const note = (request: Request) => requests.push(request)
  await page.addInitScript({ content: NEVER_IDLE })
  page.on('request', note)
  await visit()
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  page.off('request', note)
  const { origin } = new URL(page.url())
  const weigh = async (kind: string, bytesOf: (body: Buffer) => number) => {
    const bodies = requests.filter((request) => request.resourceType() === kind).map(bodyOf)
    return (await Promise.all(bodies)).reduce((sum, body) => sum + bytesOf(body), 0)
  }
  return {
    script: await weigh('script', gzipped),
    style: await weigh('stylesheet', gzipped),
    // Compressed by their own format.
    font: await weigh('font', (body) => body.length),
    requests: requests.length,
    foreign: requests.map((request) => request.url()).filter((url) => !url.startsWith(`${origin}/`)),
  }
}

async function bodyOf(request: Request): Promise<Buffer> {
  const response = await request.response()
  if (response === null) throw new Error(`${request.url()} was not answered.`)
  return response.body()
}

/** At the level with which the build compresses. */
function gzipped(body: Buffer): number {
  return gzipSync(body, { level: 9 }).length
}
