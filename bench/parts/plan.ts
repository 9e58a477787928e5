import { Client, type Pool } from 'pg'
import { atMost, compare } from '../findings.ts'
import { fillDatabase, userId } from '../fixed-data.ts'
import { claimsOf, DATA_STATEMENTS, openPool, runAs } from '../floor-statements.ts'
import { type PartContext, runRounds } from '../part.ts'
import { type EmbeddedDatabase, findEmbeddedDatabase, startIntercede } from '../processes.ts'

const PRAYERS_EACH = 100
const FEW = 1000
const MANY = 1_000_000
const MANY_QUICK = 100_000
const FULL = { rounds: 7, lists: 100 }
const QUICK = { rounds: 2, lists: 20 }
/** The user whose list is measured. */
const USER = 1
const LIST = DATA_STATEMENTS.list(USER)
const CLAIMS = JSON.stringify(claimsOf(userId(USER)))

/** The list of 100 prayers in a table with few and with many rows of other users: plan, pages read and time. */
export async function measurePlan(context: PartContext): Promise<void> {
  const { dataDir, quick, report, note } = context
  const server = await startIntercede({ DATA_DIR: dataDir })
  const embedded = await findEmbeddedDatabase(dataDir)
  const rows = quick ? MANY_QUICK : MANY
  const few = await createTable(context, embedded, FEW)
  const many = await createTable(context, embedded, rows)
  const { rounds, lists } = quick ? QUICK : FULL
  await timeLists(few, lists)
  await timeLists(many, lists)
  const timesFew: number[] = []
  const timesMany: number[] = []
  await runRounds(rounds, async () => {
    timesMany.push(await timeLists(many, lists))
    timesFew.push(await timeLists(few, lists))
  })
  const planFew = await explain(few)
  const planMany = await explain(many)
  const beside = (count: number) => `among ${count.toLocaleString('en')} rows of others`
  report(
    compare(
      {
        what: `list in the database, ${beside(rows)}`,
        unit: 'ms',
        comparedWith: beside(FEW),
        target: atMost('ratio', 1.5),
      },
      timesMany,
      timesFew,
    ),
    compare(
      {
        what: `pages that the list reads, ${beside(rows)}`,
        unit: 'pages',
        comparedWith: 'rows returned',
        target: atMost('ratio', 1.2),
      },
      [planMany.pages],
      [PRAYERS_EACH],
    ),
  )
  note(`Plan ${beside(FEW)}: ${planFew.nodes}`)
  note(`Plan ${beside(rows)}: ${planMany.nodes}`)
  await Promise.all([few.end(), many.end()])
  await server.stop()
}

/** Creates a database in which other users have `rowsOfOthers` prayers, and one more user has the measured list. */
async function createTable(
  { folder }: PartContext,
  { url, superuserUrl }: EmbeddedDatabase,
  rowsOfOthers: number,
): Promise<Pool> {
  const name = `plan_${String(rowsOfOthers)}`
  const client = new Client({ connectionString: superuserUrl })
  await client.connect()
  await client.query(`create database ${name} owner intercede template template0`)
  await client.end()
  // The server creates the tables when it starts.
  const server = await startIntercede({ DATA_DIR: folder, DATABASE_URL: inDatabase(url, name) })
  await server.stop()
  const users = 1 + rowsOfOthers / PRAYERS_EACH
  await fillDatabase(inDatabase(superuserUrl, name), { users, categoriesEach: 3, prayersEach: PRAYERS_EACH })
  return openPool(inDatabase(url, name), 1)
}

function inDatabase(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

/** Milliseconds per list. */
async function timeLists(pool: Pool, lists: number): Promise<number> {
  const started = performance.now()
  for (let list = 0; list < lists; list += 1) await runAs(pool, CLAIMS, LIST)
  return (performance.now() - started) / lists
}

/** The nodes of the plan, outermost first, and the number of pages it read. */
async function explain(pool: Pool): Promise<{ nodes: string; pages: number }> {
  const rows = await runAs<{ 'QUERY PLAN': string }>(pool, CLAIMS, {
    name: 'explain',
    text: `explain (analyze, buffers, costs off, timing off, summary off) ${LIST.text}`,
    values: LIST.values,
  })
  const lines = rows.map((row) => row['QUERY PLAN'])
  const nodes = lines.flatMap((line) => /^(?:\s*-> {2})?(\w.*?) \(actual/.exec(line)?.[1] ?? [])
  const [, hit = '0', read = '0'] = /Buffers: shared hit=(\d+)(?: read=(\d+))?/.exec(lines.join('\n')) ?? []
  return { nodes: nodes.join(' ← '), pages: Number(hit) + Number(read) }
}
