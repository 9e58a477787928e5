import type { BrowserContextOptions } from '@playwright/test'
import { createPool } from '#server/db/pool.ts'
import { loadTokenKeys } from '#server/jwt/token-keys.ts'
import { startIntercede } from '../intercede.ts'
import { sessionOf } from '../member.ts'

/** The app at work, and what makes somebody signed in on a browser. */
export interface Site {
  url: string
  signedIn: BrowserContextOptions
}

/** Serves the app from the database at `databaseUrl` while `work` runs, with that person of the fixed data signed in. */
export async function withSite<Value>(
  databaseUrl: string,
  folder: string,
  person: number,
  work: (site: Site) => Promise<Value>,
): Promise<Value> {
  const server = await startIntercede({ DATABASE_URL: databaseUrl, DATA_DIR: folder })
  try {
    const owner = createPool({ url: databaseUrl, max: 1 })
    const { anonKey } = await loadTokenKeys(owner, { jwtSecret: null, anonKey: null }, new Date())
    await owner.end()
    const localStorage = [{ name: 'supabase-auth', value: await sessionOf(server.url, anonKey, person) }]
    const signedIn = { storageState: { cookies: [], origins: [{ origin: server.url, localStorage }] } }
    return await work({ url: server.url, signedIn })
  } finally {
    await server.stop()
  }
}
