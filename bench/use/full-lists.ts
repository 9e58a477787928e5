import { Client } from 'pg'
import { withDatabase, prepare } from '../database.ts'
import type { Amounts } from '../fixed-data.ts'

/** One person, with as much as a long life of praying leaves behind. */
const FULL: Amounts = { people: 1, categoriesEach: 60, prayersEach: 5000 }

/** Prayers go round the categories; so do the resolved ones, half of each category. */
const RESOLVE_HALF = `
  update public.prayers set resolved = substr(person_name, length('Person '))::int / $1 % 2 = 1`

/** Runs `work` with the address of a database that holds the full lists of person number 1. */
export async function withFullLists<Value>(
  dataDir: string,
  work: (url: string) => Promise<Value>,
): Promise<Value> {
  return await withDatabase(dataDir, async ({ url, superuserUrl }) => {
    await prepare(url, superuserUrl, FULL)
    const client = new Client({ connectionString: superuserUrl })
    await client.connect()
    try {
      await client.query(RESOLVE_HALF, [FULL.categoriesEach])
    } finally {
      await client.end()
    }
    return await work(url)
  })
}
