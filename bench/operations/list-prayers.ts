import { dataHeaders, memberOf, type Operation } from './operation.ts'

/** The whole list, newest first, as the dashboard asks for it. */
export const listPrayers: Operation = {
  what: 'list of 100 prayers',
  traffic: (members) => ({
    next: (connection) => {
      const member = memberOf(members, connection)
      return {
        method: 'GET',
        path: `/rest/v1/prayers?select=*&user_id=eq.${member.id}&order=created_at.desc%2Cid.desc&limit=1000`,
        headers: dataHeaders(member, connection, { accept: 'application/json', 'accept-profile': 'public' }),
        body: null,
      }
    },
  }),
  tidy: () => Promise.resolve(),
}
