import { describe, expect, it } from 'vitest'
import type { Statement } from '#server/db/request-scope.ts'
import { ANNA, asAnna, BEN } from '#tests/support/users.ts'
import { createAccounts } from './accounts.ts'

const accounts = createAccounts()

const run = <Row extends Record<string, unknown>>(text: string, values: Statement['values'] = []) =>
  accounts.run<Row>(asAnna, text, values)

async function addCategory(name = 'Family', order = 1): Promise<string> {
  const text = 'insert into public.categories (name, "order") values ($1, $2) returning id'
  const [row] = await run<{ id: string }>(text, [name, order])
  if (row === undefined) throw new Error('No category was added.')
  return row.id
}

function addPrayer(categoryId: string, personName: string, note: string | null = null) {
  const text = 'insert into public.prayers (category_id, person_name, note) values ($1, $2, $3) returning *'
  return run(text, [categoryId, personName, note])
}

/** All characters that JavaScript's trim removes. */
const WHITE_SPACE = '\t\n\v\f\r \u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'

describe('names', () => {
  it('are trimmed like in JavaScript', async () => {
    expect(`${WHITE_SPACE}x${WHITE_SPACE}`.trim()).toBe('x')
    const id = await addCategory(`${WHITE_SPACE}Old  friends${WHITE_SPACE}`)
    await addPrayer(id, `${WHITE_SPACE}Maria Luz${WHITE_SPACE}`)
    expect(await run('select name from public.categories')).toEqual([{ name: 'Old  friends' }])
    expect(await run('select person_name from public.prayers')).toEqual([{ person_name: 'Maria Luz' }])
  })

  it('are trimmed when they are changed', async () => {
    await addCategory()
    const text = `update public.categories set name = '  Friends ' returning name`
    expect(await run(text)).toEqual([{ name: 'Friends' }])
  })

  it.each(['', '   ', WHITE_SPACE])('cannot be empty: %j', async (empty) => {
    await expect(addCategory(empty)).rejects.toMatchObject({
      code: '23514',
      constraint: 'categories_name_not_empty',
    })
    const id = await addCategory()
    await expect(addPrayer(id, empty)).rejects.toMatchObject({
      code: '23514',
      constraint: 'prayers_person_name_not_empty',
    })
  })

  it('have a maximum length in characters', async () => {
    const id = await addCategory('ä'.repeat(100))
    await addPrayer(id, '🕊'.repeat(200), 'n'.repeat(10_000))
    await expect(addCategory('x'.repeat(101))).rejects.toMatchObject({ constraint: 'categories_name_length' })
    await expect(addPrayer(id, 'x'.repeat(201))).rejects.toMatchObject({
      constraint: 'prayers_person_name_length',
    })
    await expect(addPrayer(id, 'x', 'n'.repeat(10_001))).rejects.toMatchObject({
      constraint: 'prayers_note_length',
    })
  })
})

describe('a new row', () => {
  it('belongs to the caller, is visible and unresolved, and has its creation time', async () => {
    const id = await addCategory()
    const [category] = await run('select user_id, is_visible, created_at, updated_at from public.categories')
    const [prayer] = await addPrayer(id, 'Maria')
    expect(category).toMatchObject({ user_id: ANNA, is_visible: true, created_at: expect.any(Date) })
    expect(category?.['updated_at']).toEqual(category?.['created_at'])
    expect(prayer).toMatchObject({ user_id: ANNA, resolved: false, note: null, created_at: expect.any(Date) })
  })

  it.each([0, -1])('of a category cannot have the order %i', async (order) => {
    await expect(addCategory('Family', order)).rejects.toMatchObject({
      constraint: 'categories_order_positive',
    })
  })

  it.each([0, 128])('of a category cannot have the days %i', async (days) => {
    const id = await addCategory()
    const change = accounts.asOwner('update public.categories set pray_days = $1 where id = $2', [days, id])
    await expect(change).rejects.toMatchObject({ code: '23514', constraint: 'categories_pray_days_range' })
  })

  it('of a prayer requires a category', async () => {
    const text = `insert into public.prayers (person_name) values ('Maria')`
    await expect(run(text)).rejects.toMatchObject({ code: '23502', column: 'category_id' })
  })
})

describe('ownership', () => {
  it('of a row cannot be changed', async () => {
    const id = await addCategory()
    await addPrayer(id, 'Maria')
    for (const table of ['categories', 'prayers']) {
      // Not even by the owner of the schema, who bypasses row level security.
      const change = accounts.asOwner(`update public.${table} set user_id = $1`, [BEN])
      await expect(change).rejects.toMatchObject({ code: '42501' })
    }
  })

  it('is part of the foreign key: a prayer cannot refer to another user’s category', async () => {
    const id = await addCategory()
    const text = `insert into public.prayers (user_id, category_id, person_name) values ($1, $2, 'Maria')`
    const insert = accounts.asOwner(text, [BEN, id])
    await expect(insert).rejects.toMatchObject({ code: '23503', constraint: 'prayers_category_id_fkey' })
  })
})

describe('a change to a category', () => {
  it('updates updated_at, whatever the client sends', async () => {
    await addCategory()
    const [row] = await run(
      `update public.categories set is_visible = false, updated_at = '2001-01-01' returning updated_at > created_at as later`,
    )
    expect(row).toEqual({ later: true })
  })
})

describe('deleting', () => {
  it('a category that has a prayer, resolved or not, is rejected', async () => {
    const id = await addCategory()
    await addPrayer(id, 'Maria')
    await run('update public.prayers set resolved = true')
    const attempt = run('delete from public.categories where id = $1', [id])
    // PostgreSQL 18 reports 23001 for "on delete restrict", earlier versions 23503.
    await expect(attempt).rejects.toMatchObject({ code: expect.stringMatching(/^23(503|001)$/) })
    expect(await run('select from public.categories')).toHaveLength(1)
  })

  it('an empty category works', async () => {
    const id = await addCategory()
    await run('delete from public.categories where id = $1', [id])
    expect(await run('select from public.categories')).toHaveLength(0)
  })
})
