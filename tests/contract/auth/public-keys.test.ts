// Both kinds of public key, sent as the web app sends them (web/lib/session/auth-client.ts, web/data/rest-client.ts): as `apikey`,
// and as bearer while no one is signed in. Supabase's gateway accepts both.
import { GoTrueClient } from '@supabase/auth-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#shared/database.types.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { PASSWORD } from './auth-client.ts'

const PUBLISHABLE = 'sb_publishable_of-the-tests_0123456789'

describe.each([
  ['a token of role anon', null],
  ['sb_publishable_…', PUBLISHABLE],
])('with %s as the public key', (_kind, anonKey) => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ config: { anonKey } })
  })

  afterAll(() => server.close())

  const authWith = (key: string) =>
    new GoTrueClient({
      url: `${server.url}/auth/v1`,
      headers: { apikey: key, Authorization: `Bearer ${key}` },
      autoRefreshToken: false,
      persistSession: false,
      detectSessionInUrl: false,
      flowType: 'implicit',
    })
  const dataWith = (key: string, token: string) =>
    new PostgrestClient<Database>(`${server.url}/rest/v1`, {
      headers: { apikey: key, authorization: `Bearer ${token}` },
      retry: false,
    })

  it('lets a user sign up, sign in and store a category', async () => {
    const { anonKey: key } = server.services.keys
    const email = 'ruth@example.com'
    expect((await authWith(key).signUp({ email, password: PASSWORD })).error).toBeNull()
    const { data, error } = await authWith(key).signInWithPassword({ email, password: PASSWORD })
    expect(error).toBeNull()
    const rows = dataWith(key, data.session?.access_token ?? '').from('categories')
    const user_id = data.user?.id ?? ''
    expect((await rows.insert({ user_id, name: 'Family', order: 1 })).error).toBeNull()
    expect((await rows.select('name')).data).toEqual([{ name: 'Family' }])
  })

  it('lets anonymous callers read nothing', async () => {
    const { anonKey: key } = server.services.keys
    const { data, error, status } = await dataWith(key, key).from('categories').select()
    expect([data, error?.code, status]).toEqual([null, '42501', 401])
  })

  it('rejects a different key of the same kind', async () => {
    const other = `${server.services.keys.anonKey.slice(0, -1)}~`
    const { error } = await authWith(other).signInWithPassword({ email: 'a@b.example', password: PASSWORD })
    expect(error).toMatchObject({ status: 401, message: 'Invalid API key' })
    expect((await dataWith(other, other).from('categories').select()).error?.message).toBe('Invalid API key')
  })
})
