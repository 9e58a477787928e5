import { Client, type Pool } from 'pg'
import { createPool } from '#server/db/pool.ts'
import { type Caller, runAs, type Statement } from '#server/db/request-scope.ts'
import { SchemaCache } from '#server/rest/schema-cache.ts'
import type { Bench } from '../bench.ts'
import { prepare, withDatabase } from '../database.ts'
import { personId } from '../fixed-data.ts'
import { atMost, compare } from '../finding.ts'
import { claimsOf } from '../floor/claims.ts'
import { statementOf } from '../floor/statement-of.ts'
import { listPrayers } from '../operations/list-prayers.ts'
import type { Found } from './found.ts'

const PRAYERS_EACH = 100
const FEW = 1000
const MANY = 1_000_000
const MANY_QUICK = 100_000
const FULL = { rounds: 7, lists: 100 }
const QUICK = { rounds: 2, lists: 20 }

interface Table {
  pool: Pool
  statement: Statement
  caller: Caller
}

/** The list of 100 prayers beside few and beside many rows of other people: plan, pages read and time. */
export async function measurePlan(bench: Bench): Promise<Found> {
  return await withDatabase(bench.dataDir, async ({ url, superuserUrl }) => {
    const many = bench.quick ? MANY_QUICK : MANY
    const small = await makeTable(url, superuserUrl, FEW)
    const large = await makeTable(url, superuserUrl, many)
    bench.say(`${many.toLocaleString('en')} prayers`)
    const times = await timesOf(small, large, bench.quick ? QUICK : FULL)
    const [smallPlan, largePlan] = [await planOf(small), await planOf(large)]
    await Promise.all([small.pool.end(), large.pool.end()])
    const beside = (rows: number) => `beside ${rows.toLocaleString('en')} rows of others`
    const named = { section: 'plan', comparedWith: beside(FEW), target: atMost('ratio', 1.5) } as const
    return {
      findings: [
        compare({ ...named, what: `list in the database, ${beside(many)}`, unit: 'ms' }, ...times),
        compare(
          {
            section: 'plan',
            what: `list: pages of the table and its index that it reads, ${beside(many)}`,
            unit: 'pages',
            comparedWith: 'the rows it gives',
            target: atMost('ratio', 1.2),
          },
          [largePlan.pages],
          [PRAYERS_EACH],
        ),
      ],
      notes: [`${beside(FEW)}: ${smallPlan.text}`, `${beside(many)}: ${largePlan.text}`],
    }
  })
}

/** A database of its own in which other people have so many prayers, and one more person has hers. */
async function makeTable(url: string, superuserUrl: string, rowsOfOthers: number): Promise<Table> {
  const name = `plan_${String(rowsOfOthers)}`
  const client = new Client({ connectionString: superuserUrl })
  await client.connect()
  await client.query(`create database ${name} owner intercede template template0`)
  await client.end()
  const people = 1 + rowsOfOthers / PRAYERS_EACH
  const amounts = { people, categoriesEach: 3, prayersEach: PRAYERS_EACH }
  await prepare(inDatabase(url, name), inDatabase(superuserUrl, name), amounts)
  const pool = createPool({ url: inDatabase(url, name), max: 1 })
  const schema = await SchemaCache.load(pool, { now: () => new Date() })
  const id = personId(1)
  const member = { person: 1, id, accessToken: '', refreshToken: '', anonKey: '' }
  return {
    pool,
    statement: statementOf(schema, listPrayers.traffic([member]).next(0)),
    caller: { role: 'authenticated', claims: JSON.stringify(claimsOf(id)) },
  }
}

function inDatabase(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

/** Milliseconds of one list in each round, for many rows and for few. */
async function timesOf(
  small: Table,
  large: Table,
  { rounds, lists }: typeof FULL,
): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []]
  await timeOf(large, lists)
  await timeOf(small, lists)
  for (let round = 0; round < rounds; round += 1) {
    times[0].push(await timeOf(large, lists))
    times[1].push(await timeOf(small, lists))
  }
  return times
}

async function timeOf({ pool, caller, statement }: Table, lists: number): Promise<number> {
  const started = performance.now()
  for (let list = 0; list < lists; list += 1) await runAs(pool, caller, statement)
  return (performance.now() - started) / lists
}

/** What the plan is made of, and how many pages it touched, as PostgreSQL tells it. */
async function planOf({ pool, caller, statement }: Table): Promise<{ text: string; pages: number }> {
  const explain = `explain (analyze, buffers, costs off, timing off, summary off) ${statement.text}`
  const { rows } = await runAs<{ 'QUERY PLAN': string }>(pool, caller, {
    text: explain,
    values: statement.values,
  })
  const lines = rows.map((row) => row['QUERY PLAN'])
  const nodes = lines.flatMap((line) => /^(?:\s*-> {2})?(\w.*?) \(actual/.exec(line)?.[1] ?? [])
  const [, hit = '0', read = '0'] = /Buffers: shared hit=(\d+)(?: read=(\d+))?/.exec(lines.join('\n')) ?? []
  return { text: nodes.join(' ← '), pages: Number(hit) + Number(read) }
}
