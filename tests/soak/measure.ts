import { readdir, readFile } from 'node:fs/promises'
import { query } from '#tests/faults/site.ts'
import { processesNaming } from '#tests/support/intercede-process.ts'
import type { World } from './world.ts'

/** What the lasting server and PostgreSQL hold at one moment. */
export interface Sample {
  /** Megabytes (10^6 bytes). */
  serverMemory: number
  serverDescriptors: number
  /** Of all servers. */
  connections: number
  /** Megabytes of all processes of PostgreSQL, shared memory counted once. */
  postgresMemory: number
  /** Megabytes of all tables with their indexes. */
  tables: number
}

const SIZES = `
  select count(*) filter (where application_name = 'intercede')::int as connections, (
    select sum(pg_total_relation_size(c.oid))::float8 / 1e6
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'auth', 'intercede')
  ) as tables
  from pg_stat_activity`

export async function measure(world: World): Promise<Sample> {
  const { pid } = world.lasting.process
  const [row] = await query<{ connections: number; tables: number }>(world.databaseUrl, SIZES)
  if (row === undefined) throw new Error('PostgreSQL tells no sizes.')
  const descriptors = await readdir(`/proc/${String(pid)}/fd`)
  return {
    serverMemory: await memoryOf(pid),
    serverDescriptors: descriptors.length,
    connections: row.connections,
    postgresMemory: await memoryOfPostgres(world),
    tables: row.tables,
  }
}

/** Its processes are those that name its folder, and their children. */
async function memoryOfPostgres({ cluster }: World): Promise<number> {
  const named = new Set(await processesNaming(`${cluster}/postgres`))
  const all = await readdir('/proc')
  const children = await Promise.all(
    all
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => (named.has(await parentOf(pid)) ? [pid] : [])),
  )
  const pids = new Set([...[...named].map(String), ...children.flat()])
  const sizes = await Promise.all([...pids].map((pid) => memoryOf(pid)))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** What a process alone would give back, in megabytes; 0 when it has ended meanwhile. */
async function memoryOf(pid: number | string): Promise<number> {
  const text = await readFile(`/proc/${String(pid)}/smaps_rollup`, 'utf8').catch(() => '')
  const [, kibibytes = '0'] = /^Pss:\s+(\d+) kB$/m.exec(text) ?? []
  return (Number(kibibytes) * 1024) / 1e6
}

async function parentOf(pid: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [, , parent = '0'] = text.slice(text.lastIndexOf(')')).split(' ')
  return Number(parent)
}
