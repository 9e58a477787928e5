import type { Pool } from 'pg'
import { readStoredTables } from '#server/backup/stored-schema.ts'

/** Every stored row of a database, as JSON text in a fixed order, by the table's name. */
export async function everythingIn(pool: Pool): Promise<Record<string, string[]>> {
  const client = await pool.connect()
  try {
    const everything: Record<string, string[]> = {}
    for (const { schema, name } of await readStoredTables(client)) {
      const { rows } = await client.query<{ row: string }>(
        `select to_jsonb(t)::text as row from "${schema}"."${name}" t order by 1`,
      )
      everything[`${schema}.${name}`] = rows.map(({ row }) => row)
    }
    return everything
  } finally {
    client.release()
  }
}
