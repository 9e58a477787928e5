import { readdir, readFile } from 'node:fs/promises'
import { query } from '#tests/faults/site.ts'
import { processesNaming } from '#tests/support/intercede-process.ts'
import type { Installation } from './installation.ts'

/** Sizes in megabytes (10^6 bytes). */
export interface UsageSample {
  /** Of the permanent server. */
  serverMemory: number
  serverDescriptors: number
  /** Database connections of both servers. */
  connections: number
  /** Of all processes of PostgreSQL; shared memory counts once. */
  postgresMemory: number
  /** All tables with their indexes. */
  tables: number
}

const SIZES = `
  select count(*) filter (where application_name = 'intercede')::int as connections, (
    select sum(pg_total_relation_size(c.oid))::float8 / 1e6
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'auth', 'intercede')
  ) as tables
  from pg_stat_activity`

export async function measureUsage(installation: Installation): Promise<UsageSample> {
  const { pid } = installation.permanent.process
  const [sizes] = await query<{ connections: number; tables: number }>(installation.databaseUrl, SIZES)
  if (sizes === undefined) throw new Error('PostgreSQL returned no sizes.')
  const descriptors = await readdir(`/proc/${String(pid)}/fd`)
  return {
    serverMemory: await memoryOf(pid),
    serverDescriptors: descriptors.length,
    connections: sizes.connections,
    postgresMemory: await memoryOfPostgres(installation.folder),
    tables: sizes.tables,
  }
}

/** Counts the processes whose command line contains the data folder, and their children. */
async function memoryOfPostgres(folder: string): Promise<number> {
  const named = new Set(await processesNaming(`${folder}/postgres`))
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const children = await Promise.all(all.map(async (pid) => (named.has(await parentOf(pid)) ? [pid] : [])))
  const pids = new Set([...[...named].map(String), ...children.flat()])
  const sizes = await Promise.all([...pids].map((pid) => memoryOf(pid)))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Proportional set size in megabytes; 0 if the process has exited. */
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

/** How much a value may grow: by a factor, plus a fixed amount. */
interface Allowance {
  name: string
  unit: string
  factor: number
  plus: number
}

const ALLOWANCES: Readonly<Record<keyof UsageSample, Allowance>> = {
  serverMemory: { name: 'memory of the server', unit: 'MB', factor: 1.15, plus: 10 },
  serverDescriptors: { name: 'file descriptors of the server', unit: '', factor: 1, plus: 8 },
  connections: { name: 'connections to PostgreSQL', unit: '', factor: 1, plus: 8 },
  postgresMemory: { name: 'memory of PostgreSQL', unit: 'MB', factor: 1.15, plus: 10 },
  tables: { name: 'size of all tables', unit: 'MB', factor: 1.15, plus: 1 },
}
const METRICS = ['serverMemory', 'serverDescriptors', 'connections', 'postgresMemory', 'tables'] as const

export interface Growth {
  name: string
  unit: string
  /** Median of the second fifth of the samples: during the first fifth, caches and tables fill. */
  early: number
  /** Median of the last fifth. */
  late: number
  isAcceptable: boolean
}

/** Compares late samples with early ones. Throws for fewer than five samples. */
export function findGrowth(samples: readonly UsageSample[]): Growth[] {
  const fifth = Math.floor(samples.length / 5)
  if (fifth === 0) throw new Error('There are too few samples.')
  return METRICS.map((metric) => {
    const { name, unit, factor, plus } = ALLOWANCES[metric]
    const early = median(samples.slice(fifth, 2 * fifth).map((sample) => sample[metric]))
    const late = median(samples.slice(-fifth).map((sample) => sample[metric]))
    return { name, unit, early, late, isAcceptable: late <= early * factor + plus }
  })
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
