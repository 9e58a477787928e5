import { describe, expect, it } from 'vitest'
import type { Caller } from '#server/db/request-scope.ts'
import { waitForLocks } from '#tests/support/database.ts'
import { asAnna, asBen } from '#tests/support/users.ts'
import { createAccounts, UNKNOWN } from './accounts.ts'

const accounts = createAccounts()
const { asOwner, inTransaction, run } = accounts

/** Adds categories in this order; resolves to their ids by name. */
async function addCategories(caller: Caller, names: readonly string[]): Promise<Map<string, string>> {
  const rows = await run<{ id: string; name: string }>(
    caller,
    `insert into public.categories (name, "order")
     select name, position from unnest($1::text[]) with ordinality as given (name, position)
     returning id, name`,
    [names],
  )
  return new Map(rows.map((row) => [row.name, row.id]))
}

function reorder(caller: Caller, ids: readonly (string | undefined)[]) {
  return run(caller, 'select public.reorder_categories($1)', [ids.map(String)])
}

async function orderOf(caller: Caller): Promise<string[]> {
  const rows = await run<{ name: string; order: number }>(
    caller,
    'select name, "order" from public.categories order by "order", created_at, id',
  )
  return rows.map((row) => `${String(row.order)} ${row.name}`)
}

describe('reordering', () => {
  it('numbers the given categories from 1', async () => {
    const ids = await addCategories(asAnna, ['A', 'B', 'C'])
    await reorder(
      asAnna,
      ['C', 'A', 'B'].map((name) => ids.get(name)),
    )
    expect(await orderOf(asAnna)).toEqual(['1 C', '2 A', '3 B'])
  })

  it('puts missing categories after the given ones, in their previous order', async () => {
    const ids = await addCategories(asAnna, ['A', 'B', 'C', 'D'])
    await reorder(asAnna, [ids.get('D')])
    expect(await orderOf(asAnna)).toEqual(['1 D', '2 A', '3 B', '4 C'])
  })

  it('ignores ids that are deleted, repeated or another user’s', async () => {
    const ids = await addCategories(asAnna, ['A', 'B'])
    const others = await addCategories(asBen, ['X', 'Y'])
    await reorder(asAnna, [others.get('Y'), UNKNOWN, ids.get('B'), ids.get('B'), ids.get('A')])
    expect(await orderOf(asAnna)).toEqual(['1 B', '2 A'])
    expect(await orderOf(asBen)).toEqual(['1 X', '2 Y'])
  })

  it('writes only rows that move, so a rename in the meantime is kept', async () => {
    const ids = await addCategories(asAnna, ['A', 'B', 'C'])
    await reorder(
      asAnna,
      ['A', 'C', 'B'].map((name) => ids.get(name)),
    )
    const rows = await asOwner(
      'select name from public.categories where updated_at > created_at order by name',
    )
    expect(rows).toEqual([{ name: 'B' }, { name: 'C' }])
  })

  it('waits for that of another device, and then continues from its result', async () => {
    const ids = await addCategories(asAnna, ['A', 'B', 'C'])
    const order = (names: string) => Array.from(names, (name) => ids.get(name))
    let second: Promise<unknown> = Promise.resolve()
    await inTransaction(asAnna, async (first) => {
      await first.query('select public.reorder_categories($1)', [order('CBA')])
      second = reorder(asAnna, order('ACB'))
      await waitForLocks(accounts.database.pool, 1)
    })
    await second
    expect(await orderOf(asAnna)).toEqual(['1 A', '2 C', '3 B'])
  })

  it('by many devices at the same time neither deadlocks nor mixes two orders', async () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F']
    const ids = await addCategories(asAnna, names)
    const orders = Array.from({ length: 40 }, (_, turn) => [
      ...names.slice(turn % 6),
      ...names.slice(0, turn % 6),
    ])
    await Promise.all(
      orders.map((order) =>
        reorder(
          asAnna,
          order.map((name) => ids.get(name)),
        ),
      ),
    )
    const found = await orderOf(asAnna)
    const possible = orders.map((order) => order.map((name, index) => `${String(index + 1)} ${name}`))
    expect(possible).toContainEqual(found)
  })
})
