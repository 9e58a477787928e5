import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withTransaction } from '#server/db/transaction.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await database.pool.query('create table public.notes (id int primary key deferrable initially deferred)')
})
beforeEach(() => database.pool.query('truncate public.notes'))
afterAll(() => database.drop())

async function storedIds(): Promise<number[]> {
  const { rows } = await database.pool.query<{ id: number }>('select id from public.notes order by id')
  return rows.map((row) => row.id)
}

describe('a transaction', () => {
  it('commits and resolves to the value', async () => {
    const value = await withTransaction(database.pool, async (client) => {
      await client.query('insert into public.notes values (1)')
      await client.query('insert into public.notes values (2)')
      return 'done'
    })
    expect(value).toBe('done')
    expect(await storedIds()).toEqual([1, 2])
  })

  it('rolls back when the work rejects, and rejects with the same error', async () => {
    const error = new Error('failed')
    const attempt = withTransaction(database.pool, async (client) => {
      await client.query('insert into public.notes values (1)')
      throw error
    })
    await expect(attempt).rejects.toBe(error)
    expect(await storedIds()).toEqual([])
  })

  it('rejects when the work ignored the error of a statement', async () => {
    const attempt = withTransaction(database.pool, async (client) => {
      await client.query('insert into public.notes values (1)')
      await client.query('select 1/0').catch(() => {})
    })
    await expect(attempt).rejects.toThrow('rolled back')
    expect(await storedIds()).toEqual([])
  })

  it('rejects when the commit fails', async () => {
    const attempt = withTransaction(database.pool, (client) =>
      client.query('insert into public.notes values (1), (1)'),
    )
    await expect(attempt).rejects.toMatchObject({ code: '23505' })
    expect(await storedIds()).toEqual([])
  })

  it('releases its connection in every case', async () => {
    const { totalCount, idleCount } = database.pool
    expect(idleCount).toBe(totalCount)
  })
})

describe('times', () => {
  it('without a time zone are read and written as UTC', async () => {
    const noon = new Date('2026-06-01T12:00:00.000Z')
    const { rows } = await database.pool.query({
      text: `select $1::timestamp as bare, $1::timestamptz as zoned, current_setting('TimeZone') as zone`,
      values: [noon],
    })
    expect(rows).toEqual([{ bare: noon, zoned: noon, zone: 'UTC' }])
  })
})
