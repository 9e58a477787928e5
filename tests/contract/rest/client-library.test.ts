import { beforeAll, describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { clientOf } from '#tests/support/data-requests.ts'
import { addUsers, ANNA } from '#tests/support/users.ts'
import { useTestServer } from '#tests/support/shared-server.ts'

let client: ReturnType<typeof clientOf>

const server = useTestServer()

beforeAll(async () => {
  await addUsers(server.services.pool)
  client = clientOf(server, await accessTokenFor(server.services, ANNA))
})

async function addCategory(name: string, order: number): Promise<string> {
  const added = await client.from('categories').insert({ name, order }).select('id').single().throwOnError()
  const row: { id: string } = added.data
  return row.id
}

describe('the client library', () => {
  it('combines filters', async () => {
    const ids = [
      await addCategory('Alpha', 1),
      await addCategory('B, (beta)', 2),
      await addCategory('Gamma', 3),
    ]
    const names = async (query: PromiseLike<{ data: { name: unknown }[] | null }>) =>
      (await query).data?.map((row) => row.name)
    const from = () => client.from('categories').select('name').order('order')
    expect(await names(from().or('name.eq.Gamma,and(order.gte.1,order.lt.2)'))).toEqual(['Alpha', 'Gamma'])
    expect(await names(from().in('name', ['B, (beta)', 'Gamma']))).toEqual(['B, (beta)', 'Gamma'])
    expect(await names(from().not('name', 'in', '(Alpha)'))).toEqual(['B, (beta)', 'Gamma'])
    expect(await names(from().ilike('name', '%A%').neq('name', 'Gamma'))).toEqual(['Alpha', 'B, (beta)'])
    expect(await names(from().is('is_visible', true).gt('name', 'B').lte('name', 'C'))).toEqual(['B, (beta)'])
    expect(await names(from().match({ name: 'Alpha', is_visible: true }))).toEqual(['Alpha'])
    expect(await names(from().limit(1))).toEqual(['Alpha'])
    await client.from('categories').delete().in('id', ids).throwOnError()
  })

  it('cannot filter by a column named order, because the parameter sets the order', async () => {
    const response = await client.from('categories').select('name').order('order').gt('order', 1)
    expect(response).toMatchObject({ status: 400, error: { code: 'PGRST100' } })
  })

  it('counts without returning rows', async () => {
    const response = await client.from('categories').select('*', { count: 'exact', head: true })
    expect(response).toMatchObject({ status: 200, count: 0, data: null, error: null })
  })

  it('inserts rows with missing keys, using defaults', async () => {
    const rows = [
      { name: 'A', order: 1, is_visible: false },
      { name: 'B', order: 2 },
    ]
    const added = await client
      .from('categories')
      .insert(rows, { defaultToNull: false })
      .select('name,is_visible')
    expect(added.data).toEqual([
      { name: 'A', is_visible: false },
      { name: 'B', is_visible: true },
    ])
    await client.from('categories').delete().not('id', 'is', null).throwOnError()
  })

  it('has a write with max-affected rejected rather than executed without that limit', async () => {
    const id = await addCategory('A', 1)
    const response = await client
      .from('categories')
      .delete()
      .eq('id', id)
      .setHeader('Prefer', 'handling=strict,max-affected=1')
    expect(response).toMatchObject({ status: 400, error: { code: 'PGRST122' } })
    await client.from('categories').delete().eq('id', id).throwOnError()
  })
})
