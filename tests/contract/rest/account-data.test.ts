import { beforeEach, describe, expect, it } from 'vitest'
import { IMPORT_MAX_BYTES } from '#shared/limits.ts'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { clientOf, send } from '#tests/support/data-requests.ts'
import { addUsers, ANNA, BEN } from '#tests/support/users.ts'
import { useTestServer } from '#tests/support/shared-server.ts'

const server = useTestServer()

beforeEach(async () => {
  // The database uses its own clock to decide how long ago the user signed in.
  const { rows } = await server.services.pool.query<{ now: Date }>('select now()')
  server.clock.set(rows[0]?.now.toISOString() ?? '')
  await server.services.pool.query('delete from auth.users')
  await addUsers(server.services.pool)
})

/** A client of a user who signed in `signedInAgo` seconds ago. */
async function clientFor(id: string, signedInAgo = 0) {
  const timestamp = Math.floor(server.clock.now().getTime() / 1000) - signedInAgo
  return clientOf(
    server,
    await accessTokenFor(server.services, id, { amr: [{ method: 'password', timestamp }] }),
  )
}

const FAMILY = '00000000-0000-4000-8000-0000000000a1'
const TIME = '2026-01-01T00:00:00.000001+00:00'

function fileWith(prayers: number, note: string) {
  return {
    categories: [
      { id: FAMILY, name: 'Family', order: 1, is_visible: true, created_at: TIME, updated_at: TIME },
    ],
    prayers: Array.from({ length: prayers }, (_, index) => ({
      id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      category_id: FAMILY,
      person_name: `Ruth ${String(index)}`,
      note,
      resolved: false,
      created_at: TIME,
    })),
  }
}

describe('account data, through the client library', () => {
  it('imports more than a megabyte in one call, exports them in one, and imports them into another account', async () => {
    const [annas, bens] = [await clientFor(ANNA), await clientFor(BEN)]
    const file = fileWith(1200, 'Peace before the operation on Thursday. '.repeat(25))
    expect(JSON.stringify(file).length).toBeGreaterThan(1024 * 1024)
    const counts = { categories_added: 1, categories_known: 0, prayers_added: 1200, prayers_known: 0 }
    expect(await annas.rpc('import_prayers', { data: file, preview: true })).toMatchObject({ data: counts })
    expect(await annas.rpc('import_prayers', { data: file, preview: false })).toMatchObject({ data: counts })
    // This is how the app recognises an import whose response was lost.
    expect(await annas.rpc('import_prayers', { data: file, preview: true })).toMatchObject({
      data: { categories_added: 0, prayers_added: 0, updates_added: 0, prayed_days_added: 0 },
    })
    const exported = await annas.rpc('export_account')
    expect(exported).toMatchObject({ status: 200, data: { account: { id: ANNA } } })
    expect(exported.data.prayers).toHaveLength(1200)
    expect(await bens.rpc('import_prayers', { data: exported.data, preview: false })).toMatchObject({
      status: 200,
      data: counts,
    })
  })

  it('deletes an account after a recent sign-in; its token can then read and add nothing', async () => {
    const client = await clientFor(ANNA)
    await client.rpc('import_prayers', { data: fileWith(3, 'a note'), preview: false })
    expect(await client.rpc('preview_account_deletion')).toMatchObject({
      data: { prayers: 3, categories: 1, signed_in_lately: true },
    })
    expect(await client.rpc('delete_account')).toMatchObject({ status: 204, error: null })
    expect(await client.from('prayers').select('id')).toMatchObject({ status: 200, data: [] })
    expect(await client.from('categories').insert({ name: 'New', order: 1 })).toMatchObject({
      status: 409,
      error: { code: '23503' },
    })
    expect(await client.rpc('export_account')).toMatchObject({ data: { account: null, prayers: [] } })
  })

  it('does not delete an account if the last sign-in was too long ago', async () => {
    const client = await clientFor(ANNA, 3600)
    expect(await client.rpc('preview_account_deletion')).toMatchObject({ data: { signed_in_lately: false } })
    expect(await client.rpc('delete_account')).toMatchObject({
      status: 403,
      error: { code: 'PT403', message: 'To delete your account, please sign in again first.' },
    })
    expect(await client.rpc('export_account')).toMatchObject({ data: { account: { id: ANNA } } })
  })
})

describe('a body above the usual limit', () => {
  const call = (name: string, bytes: number, token: string | null) =>
    send(server, `/rpc/${name}`, { method: 'POST', token, body: `{"data":{"x":"${'x'.repeat(bytes)}"}}` })

  it.each([
    ['import_prayers', ',"preview":true'],
    ['import_sealed', ''],
  ])('is accepted for an import, up to the limit for imports: %s', async (name, others) => {
    const token = await accessTokenFor(server.services, ANNA)
    const body = `{"data":{"x":"${'x'.repeat(IMPORT_MAX_BYTES - 100)}"}${others}}`
    const response = await send(server, `/rpc/${name}`, { method: 'POST', token, body })
    expect([response.status, JSON.parse(response.text).code]).toEqual([400, '22023'])
    expect((await call(name, IMPORT_MAX_BYTES + 1024, token)).status).toBe(413)
  })

  it('is rejected for other functions', async () => {
    const token = await accessTokenFor(server.services, ANNA)
    expect((await call('export_account', 1024 * 1024, token)).status).toBe(413)
  })

  it('is rejected for anonymous callers', async () => {
    const response = await call('import_prayers', 100, null)
    expect([response.status, JSON.parse(response.text).code]).toEqual([401, '42501'])
  })
})
