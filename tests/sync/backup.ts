import type { Pool } from 'pg'

const TABLES = [
  'public.sync_state',
  'public.deletions',
  'private.account_usage',
  'public.encryption_keys',
  'public.categories',
  'public.prayers',
  'public.prayer_updates',
  'public.prayed_days',
]

/** The data of one user, as a backup has it. */
export type UserBackup = ReadonlyMap<string, string>

export async function backUp(pool: Pool, userId: string): Promise<UserBackup> {
  const backup = new Map<string, string>()
  for (const table of TABLES) {
    const { rows } = await pool.query<{ data: string }>(
      `select coalesce(json_agg(t), '[]')::text as data from ${table} t where user_id = $1`,
      [userId],
    )
    backup.set(table, rows[0]?.data ?? '[]')
  }
  return backup
}

/**
 * Brings back the data of one user, as a restore of the whole database does: without triggers, and with a new epoch.
 *
 * @param count how many restores there were, with this one: each takes numbers of its own
 */
export async function restore(pool: Pool, userId: string, backup: UserBackup, count: number): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const table of TABLES) await client.query(`alter table ${table} disable trigger user`)
    for (const table of TABLES.toReversed())
      await client.query(`delete from ${table} where user_id = $1`, [userId])
    for (const table of TABLES)
      await client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
        backup.get(table),
      ])
    await client.query(
      `update public.sync_state set restores = restores || jsonb_build_object('epoch', epoch, 'rev', rev),
              epoch = gen_random_uuid(), rev = rev + $2::bigint * 1000000000
       where user_id = $1`,
      [userId, count],
    )
    for (const table of TABLES) await client.query(`alter table ${table} enable trigger user`)
    await client.query('commit')
  } finally {
    client.release()
  }
}
