import type { Pool } from 'pg'
import { readStoredTables } from '#server/backup/stored-schema.ts'

/** Every row of a database as JSON text in a fixed order, by table. */
export async function readAllRows(pool: Pool): Promise<Record<string, string[]>> {
  const client = await pool.connect()
  try {
    const tables: Record<string, string[]> = {}
    for (const { schema, name } of await readStoredTables(client)) {
      const { rows } = await client.query<{ row: string }>(
        `select to_jsonb(t)::text as row from "${schema}"."${name}" t order by 1`,
      )
      tables[`${schema}.${name}`] = rows.map(({ row }) => row)
    }
    return tables
  } finally {
    client.release()
  }
}

/** All rows, without the states of the synchronisation, which a restore changes. */
export async function readKeptRows(pool: Pool): Promise<Record<string, string[]>> {
  const { 'public.sync_state': _changed, ...rows } = await readAllRows(pool)
  return rows
}
