import { execFile } from 'node:child_process'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { expect } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { makePrivateFolder } from '#server/db/folders.ts'
import { copyDatabaseInto } from '#tests/support/data-folder.ts'
import { query } from './site.ts'

/** One of several PostgreSQL servers with the same data, each on a simulated machine. */
export interface Machine {
  folder: string
  /** Resolves when it accepts changes: for a standby, after its promotion. */
  postgres: Promise<EmbeddedPostgres>
}

const NAME = 'standby'

export async function startPrimary(folder: string): Promise<Machine> {
  await makePrivateFolder(folder)
  await copyDatabaseInto(folder)
  const postgres = startEmbeddedPostgres({ dataDir: folder })
  await postgres
  return { folder, postgres }
}

/**
 * Adds a synchronous standby: copies the files of `primary` while it runs, then follows its write-ahead log. From then
 * on, the primary acknowledges only changes that the standby has too.
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
    .poll(() => query(superuserUrl, 'select application_name, sync_state from pg_stat_replication'))
    .toEqual([{ application_name: NAME, sync_state: 'sync' }])
  return standby
}

/** https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP */
async function copyWhileRunning(primary: Machine, folder: string): Promise<void> {
  // The backup belongs to the connection that started it.
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

/** Loses the machine with all its data, without a shutdown. */
export async function lose({ folder }: Machine): Promise<void> {
  const lock = await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')
  // Keeps PostgreSQL from being restarted.
  await rename(join(folder, 'postgres'), join(folder, 'lost'))
  process.kill(Number(lock.split('\n')[0]), 'SIGKILL')
}

/** Makes the standby the new primary. */
export async function promote(standby: Machine): Promise<void> {
  await query(superuserOf(standby), 'select pg_promote(true, 30)')
  await standby.postgres
}

function superuserOf({ folder }: Machine): string {
  return `postgresql:///intercede?host=${join(folder, 'socket')}&user=postgres`
}
