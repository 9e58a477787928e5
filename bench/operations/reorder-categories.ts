import { categoryId, FIXED_AMOUNTS } from '../fixed-data.ts'
import type { Member } from '../member.ts'
import { dataHeaders, memberOf, type Operation } from './operation.ts'

/** All of a person's categories, the first one moved to the end each time: every row is written. */
export const reorderCategories: Operation = {
  what: 'reorder 30 categories',
  traffic: (members) => {
    const orders = members.map(categoriesOf)
    return {
      next: (connection) => {
        const order = orders[connection] ?? []
        order.push(...order.splice(0, 1))
        return {
          method: 'POST',
          path: '/rest/v1/rpc/reorder_categories',
          headers: dataHeaders(memberOf(members, connection), connection, {
            accept: 'application/json',
            'content-profile': 'public',
            'content-type': 'application/json',
          }),
          body: JSON.stringify({ category_ids: order }),
        }
      },
    }
  },
  tidy: async (owner) => {
    await owner.query('vacuum public.categories')
  },
}

function categoriesOf({ person }: Member): string[] {
  return Array.from({ length: FIXED_AMOUNTS.categoriesEach }, (_, index) => categoryId(person, index + 1))
}
