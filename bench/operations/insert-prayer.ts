import { randomUUID } from 'node:crypto'
import { categoryId } from '../fixed-data.ts'
import { dataHeaders, memberOf, type Operation } from './operation.ts'

const NEW_NAME = 'Somebody new'

/** A prayer under an id of the app's own, which is answered with the row as it was stored. */
export const insertPrayer: Operation = {
  what: 'insert one prayer',
  traffic: (members) => ({
    next: (connection) => {
      const member = memberOf(members, connection)
      return {
        method: 'POST',
        path: '/rest/v1/prayers?select=*',
        headers: dataHeaders(member, connection, {
          accept: 'application/vnd.pgrst.object+json',
          'content-profile': 'public',
          'content-type': 'application/json',
          prefer: 'return=representation',
        }),
        body: JSON.stringify({
          id: randomUUID(),
          user_id: member.id,
          category_id: categoryId(member.person, 1),
          person_name: NEW_NAME,
          note: 'That the first days in the new town be kind',
          resolved: false,
          created_at: '2026-06-01T06:00:00.000Z',
        }),
      }
    },
  }),
  tidy: async (owner) => {
    await owner.query('delete from public.prayers where person_name = $1', [NEW_NAME])
    await owner.query('vacuum public.prayers')
  },
}
