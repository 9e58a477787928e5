import { execFile } from 'node:child_process'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { expect } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { makePrivateFolder } from '#server/db/folders.ts'
import { query } from './site.ts'

/** One of several PostgreSQL that have the same data, on a machine of its own. */
export interface Machine {
  folder: string
  /** For a standby, from when it is no longer one. */
  postgres: Promise<EmbeddedPostgres>
}

/** Milliseconds for two PostgreSQL to find each other, on a machine that has other things to do. */
const PATIENCE = 20_000
const NAME = 'standby'

export async function startPrimary(folder: string): Promise<Machine> {
  await makePrivateFolder(folder)
  const postgres = startEmbeddedPostgres({ dataDir: folder })
  await postgres
  return { folder, postgres }
}

/**
 * Adds a machine that follows `primary`, and has the primary acknowledge nothing that it does not have as well: a copy
 * of the files while they are in use, and from then on the journal as it is written.
 */
export async function addStandby(primary: Machine, folder: string): Promise<Machine> {
  await makePrivateFolder(folder)
  await copyWhileRunning(primary, folder)
  const address = `host=${join(primary.folder, 'socket')} user=postgres application_name=${NAME}`
  await writeFile(join(folder, 'postgres', 'postgresql.auto.conf'), `primary_conninfo = '${address}'\n`)
  await writeFile(join(folder, 'postgres', 'standby.signal'), '')
  const standby = { folder, postgres: startEmbeddedPostgres({ dataDir: folder }) }
  const superuserUrl = superuserOf(primary)
  await query(superuserUrl, `alter system set synchronous_standby_names = '${NAME}'`)
  await query(superuserUrl, 'select pg_reload_conf()')
  await expect
    .poll(() => query(superuserUrl, 'select application_name, sync_state from pg_stat_replication'), {
      timeout: PATIENCE,
    })
    .toEqual([{ application_name: NAME, sync_state: 'sync' }])
  return standby
}

/** https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP */
async function copyWhileRunning(primary: Machine, folder: string): Promise<void> {
  // One connection from beginning to end: the backup is its own.
  const client = new Client({ connectionString: superuserOf(primary) })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('${NAME}', true)`)
    await promisify(execFile)('cp', ['-a', join(primary.folder, 'postgres'), folder])
    const { rows } = await client.query<{ labelfile: string }>('select * from pg_backup_stop(false)')
    await writeFile(join(folder, 'postgres', 'backup_label'), rows[0]?.labelfile ?? '')
    await promisify(execFile)('rm', [join(folder, 'postgres', 'postmaster.pid')])
  } finally {
    await client.end()
  }
}

/** The machine is gone from one moment to the next, with all it had. */
export async function lose({ folder }: Machine): Promise<void> {
  const lock = await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')
  // So that it is not started again.
  await rename(join(folder, 'postgres'), join(folder, 'lost'))
  process.kill(Number(lock.split('\n')[0]), 'SIGKILL')
}

/** Makes the standby the one that is written to. */
export async function promote(standby: Machine): Promise<void> {
  await query(superuserOf(standby), 'select pg_promote(true, 30)')
  await standby.postgres
}

function superuserOf({ folder }: Machine): string {
  return `postgresql:///intercede?host=${join(folder, 'socket')}&user=postgres`
}
