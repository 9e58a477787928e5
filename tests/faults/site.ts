import { Client } from 'pg'
import type { DataServer } from '#tests/support/data-requests.ts'
import { type IntercedeProcess, startIntercede } from '#tests/support/intercede-process.ts'

/** The production build in a process of its own, as its clients know it. */
export interface Site extends DataServer {
  process: IntercedeProcess
}

/** Starts a server and reads the public key from its database, embedded or not. */
export async function startSite(
  env: Record<string, string>,
  databaseUrl: string,
  within: readonly string[] = [],
): Promise<Site> {
  const process = await startIntercede({ RATE_LIMIT_FACTOR: '1000', ...env }, within)
  const [key] = await query<{ value: string }>(
    databaseUrl,
    `select value from intercede.settings where name like 'anon_key %'`,
  )
  if (key === undefined) throw new Error('The server has stored no public key.')
  return { process, url: await process.ready, services: { keys: { anonKey: key.value } } }
}

/** URL of the embedded database in this folder. */
export function embeddedUrl(dataDir: string): string {
  return `postgresql:///intercede?host=${dataDir}/socket&user=intercede`
}

/** Runs one statement on a new connection. */
export async function query<Row extends object>(databaseUrl: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<Row>(text)
    return rows
  } finally {
    await client.end()
  }
}
