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

describe('the app\u2019s calls through the client library', () => {
  it('insert, list, update, resolve and delete prayers', async () => {
    const category_id = await addCategory('Family', 1)
    const prayer = { person_name: 'Boaz', note: null, category_id, resolved: false, user_id: ANNA }
    const created_at = '2026-03-01T09:00:00.000Z'
    const added = await client
      .from('prayers')
      .insert({ ...prayer, created_at })
      .select()
      .single()
    expect(added).toMatchObject({
      status: 201,
      error: null,
      data: { ...prayer, created_at: '2026-03-01T09:00:00+00:00' },
    })
    await client
      .from('prayers')
      .insert({ ...prayer, person_name: 'Naomi' })
      .throwOnError()

    const list = await client
      .from('prayers')
      .select('*', { count: 'exact' })
      .eq('user_id', ANNA)
      .order('created_at', { ascending: false })
      .order('id')
      .range(0, 999)
    expect(list.count).toBe(2)
    expect(list.data).toMatchObject([{ person_name: 'Naomi' }, { person_name: 'Boaz' }])

    const id = added.data?.id
    const resolved = await client.from('prayers').update({ resolved: true }).eq('id', id).select().single()
    expect(resolved).toMatchObject({ status: 200, data: { id, resolved: true, person_name: 'Boaz' } })
    expect(await client.from('prayers').delete().eq('id', id)).toMatchObject({ status: 204, error: null })
    const missing = await client.from('prayers').update({ resolved: true }).eq('id', id).select().single()
    expect(missing).toMatchObject({ status: 406, error: { code: 'PGRST116' }, data: null })
    expect(await client.from('prayers').select('id').eq('id', id).maybeSingle()).toMatchObject({
      error: null,
      data: null,
    })
    await client.from('prayers').delete().eq('category_id', category_id).throwOnError()
    await client.from('categories').delete().eq('id', category_id).throwOnError()
  })

  it('list, rename, hide, reorder and delete categories', async () => {
    const ids = [await addCategory('One', 1), await addCategory('Two', 2), await addCategory('Three', 3)]
    const [one = '', two = '', three = ''] = ids
    const reordered = await client.rpc('reorder_categories', { category_ids: [three, one, two] })
    expect(reordered).toMatchObject({ status: 204, error: null })
    const change = { is_visible: false, updated_at: new Date().toISOString() }
    await client.from('categories').update(change).eq('id', two).throwOnError()

    const list = await client.from('categories').select('name,is_visible').eq('user_id', ANNA).order('order')
    expect(list.data).toEqual([
      { name: 'Three', is_visible: true },
      { name: 'One', is_visible: true },
      { name: 'Two', is_visible: false },
    ])
    const upserted = await client
      .from('categories')
      .upsert(
        [
          { id: one, name: 'One', order: 1 },
          { id: two, name: 'Two', order: 2 },
        ],
        { onConflict: 'id' },
      )
      .select('order')
    expect(upserted).toMatchObject({ status: 200, data: [{ order: 1 }, { order: 2 }] })
    const deleted = await client.from('categories').delete().in('id', ids).select('id')
    expect(deleted.data).toHaveLength(3)
  })

  it('receive errors with code, message, details and hint', async () => {
    const { error } = await client.from('unknown').select()
    expect(error).toMatchObject({
      code: 'PGRST205',
      message: "Could not find the table 'public.unknown' in the schema cache",
      details: null,
      hint: null,
    })
  })
})

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
