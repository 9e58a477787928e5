import { FIXED_AMOUNTS, prayerId } from '../fixed-data.ts'
import { dataHeaders, memberOf, type Operation } from './operation.ts'

/** Another note for one of a person's own prayers, a different one each time. */
export const updatePrayer: Operation = {
  what: 'update one prayer',
  traffic: (members) => {
    let updates = 0
    return {
      next: (connection) => {
        const member = memberOf(members, connection)
        updates += 1
        const prayer = prayerId(member.person, 1 + (updates % FIXED_AMOUNTS.prayersEach))
        return {
          method: 'PATCH',
          path: `/rest/v1/prayers?id=eq.${prayer}&select=*`,
          headers: dataHeaders(member, connection, {
            accept: 'application/json',
            'content-profile': 'public',
            'content-type': 'application/json',
            prefer: 'return=representation',
          }),
          body: JSON.stringify({ note: `Thanks for day ${String(updates)}`, resolved: updates % 2 === 0 }),
        }
      },
    }
  },
  tidy: async (owner) => {
    await owner.query('vacuum public.prayers')
  },
}
