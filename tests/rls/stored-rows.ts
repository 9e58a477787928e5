import type { Pool } from 'pg'
import { SEED } from './operations.ts'

/** Restores the rows that the operations work on. */
export async function resetRows(pool: Pool): Promise<void> {
  await pool.query('delete from public.prayers')
  await pool.query('delete from public.categories')
  for (const statement of SEED) await pool.query(statement)
}

/** All rows of a user, read as the owner of the schema. */
export async function rowsOf(pool: Pool, userId: string): Promise<unknown[]> {
  const rows: unknown[] = []
  for (const table of ['categories', 'prayers'] as const) {
    const result = await pool.query(`select * from public.${table} where user_id = $1 order by id`, [userId])
    rows.push(...result.rows)
  }
  return rows
}
