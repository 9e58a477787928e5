import type { FastifyInstance } from 'fastify'
import { PASSWORD } from '#tests/contract/auth/auth-client.ts'
import type { Attack } from './attack.ts'
import type { Owner } from './two-users.ts'

/** Every call that requires a signed-in user, on the data of `owner`. */
export function protectedCalls(owner: Owner): readonly Attack[] {
  const { id, categoryId, prayerId, updateId } = owner
  return [
    { method: 'GET', path: '/auth/v1/user' },
    {
      method: 'POST',
      path: '/auth/v1/factors',
      body: { factor_type: 'totp', friendly_name: 'Taken', current_password: PASSWORD },
    },
    { method: 'GET', path: '/auth/v1/factors/recovery-codes' },
    { method: 'PUT', path: '/auth/v1/user', body: { data: { full_name: 'Taken' } } },
    { method: 'GET', path: '/auth/v1/reauthenticate' },
    {
      method: 'PUT',
      path: '/auth/v1/user',
      body: { email: 'taken@example.org', current_password: PASSWORD },
    },
    {
      method: 'PUT',
      path: '/auth/v1/user',
      body: { password: 'another password', current_password: PASSWORD },
    },
    { method: 'POST', path: '/auth/v1/logout?scope=global' },
    { method: 'POST', path: '/auth/v1/logout?scope=others' },
    { method: 'GET', path: '/rest/v1/categories?select=*' },
    { method: 'GET', path: `/rest/v1/prayers?select=*&user_id=eq.${id}` },
    { method: 'POST', path: '/rest/v1/categories', body: { name: 'Taken', order: 1, user_id: id } },
    { method: 'POST', path: '/rest/v1/prayers', body: { person_name: 'Taken', category_id: categoryId } },
    { method: 'PATCH', path: `/rest/v1/categories?id=eq.${categoryId}`, body: { name: 'Taken' } },
    { method: 'PATCH', path: `/rest/v1/prayers?id=eq.${prayerId}`, body: { note: 'Taken' } },
    { method: 'GET', path: '/rest/v1/prayer_updates?select=*' },
    { method: 'POST', path: '/rest/v1/prayer_updates', body: { prayer_id: prayerId, body: 'Taken' } },
    { method: 'PATCH', path: `/rest/v1/prayer_updates?id=eq.${updateId}`, body: { body: 'Taken' } },
    { method: 'DELETE', path: `/rest/v1/prayer_updates?id=eq.${updateId}` },
    {
      method: 'POST',
      path: '/rest/v1/rpc/mark_prayed',
      body: { prayer_ids: [prayerId], prayed_on: '2026-01-03' },
    },
    {
      method: 'POST',
      path: '/rest/v1/rpc/unmark_prayed',
      body: { prayer_ids: [prayerId], prayed_on: '2026-01-02' },
    },
    { method: 'POST', path: '/rest/v1/rpc/prayed_months', body: { prayer_id: prayerId } },
    { method: 'POST', path: '/rest/v1/rpc/prayed_years' },
    { method: 'POST', path: '/rest/v1/rpc/prayed_prayers' },
    { method: 'GET', path: '/rest/v1/encryption_keys?select=*' },
    {
      method: 'POST',
      path: '/rest/v1/rpc/import_sealed',
      body: { data: { categories: [], prayers: [] } },
    },
    {
      method: 'POST',
      path: '/rest/v1/rpc/reopen_prayer',
      body: { prayer_id: prayerId, update_id: categoryId, reopened_at: '2026-01-03T00:00:00Z' },
    },
    {
      method: 'POST',
      path: '/rest/v1/rpc/undo_reopen_prayer',
      body: { prayer_id: prayerId, update_id: updateId },
    },
    { method: 'GET', path: '/rest/v1/reminders?select=*' },
    {
      method: 'POST',
      path: '/rest/v1/reminders',
      body: { remind_at: '09:00', weekdays: 127, time_zone: 'UTC' },
    },
    { method: 'PATCH', path: `/rest/v1/reminders?user_id=eq.${id}`, body: { enabled: false } },
    { method: 'DELETE', path: `/rest/v1/reminders?user_id=eq.${id}` },
    { method: 'DELETE', path: `/rest/v1/prayers?user_id=eq.${id}` },
    { method: 'DELETE', path: `/rest/v1/categories?id=eq.${categoryId}` },
    {
      method: 'POST',
      path: '/rest/v1/rpc/reorder_categories',
      body: { category_ids: [categoryId] },
    },
  ]
}

/** The routes of the auth API, without HEAD, from Fastify's drawing of them. */
export function authRoutes(app: FastifyInstance): { method: string; path: string }[] {
  const parents: string[] = []
  const found: { method: string; path: string }[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? []
    const depth = indent.length / 4
    parents.splice(depth)
    parents.push(part)
    const path = parents.join('')
    for (const method of methods.split(', ')) {
      if (method === '' || method === 'HEAD' || !path.startsWith('/auth/v1/')) continue
      found.push({ method, path })
    }
  }
  return found.toSorted((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? 1 : -1))
}
