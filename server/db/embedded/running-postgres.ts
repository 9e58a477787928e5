import { readFile, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { SUPERUSER } from './cluster.ts'
import { DATABASE, OWNER } from './embedded-postgres.ts'
import { endpointUrl, passwordFileIn, type Endpoint } from './endpoint.ts'
import { readLock } from './folder-owner.ts'

/**
 * URL of the database in `dataDir`, for the role that owns it, when a server is running on it; null when none is, or
 * none that answers yet.
 */
export async function findRunningPostgres(dataDir: string): Promise<string | null> {
  const folder = await realpath(dataDir).catch(() => null)
  if (folder === null) return null
  const cluster = join(folder, 'postgres')
  const endpoint = await endpointOf(folder, cluster)
  if (endpoint === null || !(await answersFor(endpoint, cluster))) return null
  return endpointUrl(endpoint, OWNER, DATABASE)
}

/** As the lock of a running PostgreSQL tells; that of one that was killed tells it as well. */
async function endpointOf(dataDir: string, cluster: string): Promise<Endpoint | null> {
  const lock = await readLock(cluster)
  if (lock === null) return null
  const { port, socketFolder } = lock
  if (socketFolder !== null) return { kind: 'socket', folder: socketFolder, temporary: false }
  const passwordFile = passwordFileIn(dataDir)
  const password = await readFile(passwordFile, 'utf8').catch(() => null)
  return password === null ? null : { kind: 'loopback', port, password, passwordFile }
}

/** Whoever answers there may be another by now: only its own word on its folder counts. */
async function answersFor(endpoint: Endpoint, cluster: string): Promise<boolean> {
  const client = new Client({ connectionString: endpointUrl(endpoint, SUPERUSER, 'postgres') })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ folder: string }>(
      `select current_setting('data_directory') as folder`,
    )
    return resolve(rows[0]?.folder ?? '') === cluster
  } catch {
    return false
  } finally {
    await client.end()
  }
}
