import { randomUUID } from 'node:crypto'
import type { Random } from './random.ts'

interface Category {
  id: string
  name: string
  order: number
}

interface Prayer {
  id: string
  category_id: string
  person_name: string
  resolved: boolean
}

/** Everything that one user has: categories in their order, prayers by id. Immutable. */
export interface UserData {
  categories: readonly Category[]
  prayers: readonly Prayer[]
}

/** A request that changes a user's data, and the data after it. */
export interface Change {
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
  after: UserData
}

export const NO_DATA: UserData = { categories: [], prayers: [] }

/** Rows of one request: enough that a partly executed request would be noticed. */
const MANY = 20
const MOST_CATEGORIES = 12
const MOST_PRAYERS = 120

type Make = (data: UserData, random: Random) => Change

/** Creates some categories first, and never more rows than fit into one response. */
export function chooseChange(data: UserData, random: Random): Change {
  if (data.categories.length < 3) return addCategory(data)
  if (data.prayers.length > MOST_PRAYERS) return clearCategory(data, random)
  const kinds: [Make, ...Make[]] = [addPrayers, addPrayer, resolveCategory, deletePrayer, rename, reorder]
  if (data.categories.length < MOST_CATEGORIES) kinds.push(addCategory)
  return random.pick(kinds)(data, random)
}

function addCategory(data: UserData): Change {
  const order = Math.max(0, ...data.categories.map((category) => category.order)) + 1
  const category = { id: randomUUID(), name: `Category ${String(order)}`, order }
  const after = { ...data, categories: [...data.categories, category] }
  return { method: 'POST', path: '/categories', body: category, after }
}

function rename(data: UserData, random: Random): Change {
  const { id } = anyCategory(data, random)
  const name = `Renamed ${String(random.below(1e9))}`
  const categories = data.categories.map((category) =>
    category.id === id ? { ...category, name } : category,
  )
  return { method: 'PATCH', path: `/categories?id=eq.${id}`, body: { name }, after: { ...data, categories } }
}

function reorder(data: UserData, random: Random): Change {
  const categories = random
    .shuffled(data.categories)
    .map(({ id, name }, index) => ({ id, name, order: index + 1 }))
  const body = { category_ids: categories.map(({ id }) => id) }
  return { method: 'POST', path: '/rpc/reorder_categories', body, after: { ...data, categories } }
}

function addPrayer(data: UserData, random: Random): Change {
  return insertPrayers(data, [newPrayer(data, random)])
}

function addPrayers(data: UserData, random: Random): Change {
  return insertPrayers(
    data,
    Array.from({ length: MANY }, () => newPrayer(data, random)),
  )
}

function insertPrayers(data: UserData, added: Prayer[]): Change {
  const after = { ...data, prayers: byId([...data.prayers, ...added]) }
  return { method: 'POST', path: '/prayers', body: added, after }
}

function newPrayer(data: UserData, random: Random): Prayer {
  return {
    id: randomUUID(),
    category_id: anyCategory(data, random).id,
    person_name: `Person ${String(random.below(1e9))}`,
    resolved: false,
  }
}

function resolveCategory(data: UserData, random: Random): Change {
  const { id } = anyCategory(data, random)
  const resolved = random.below(2) === 0
  const prayers = data.prayers.map((prayer) => (prayer.category_id === id ? { ...prayer, resolved } : prayer))
  const path = `/prayers?category_id=eq.${id}`
  return { method: 'PATCH', path, body: { resolved }, after: { ...data, prayers } }
}

function clearCategory(data: UserData, random: Random): Change {
  const { category_id: id } = anyPrayer(data, random)
  const prayers = data.prayers.filter((prayer) => prayer.category_id !== id)
  return { method: 'DELETE', path: `/prayers?category_id=eq.${id}`, after: { ...data, prayers } }
}

function deletePrayer(data: UserData, random: Random): Change {
  if (data.prayers.length === 0) return addPrayer(data, random)
  const { id } = anyPrayer(data, random)
  const prayers = data.prayers.filter((prayer) => prayer.id !== id)
  return { method: 'DELETE', path: `/prayers?id=eq.${id}`, after: { ...data, prayers } }
}

function anyCategory({ categories: [first, ...others] }: UserData, random: Random): Category {
  if (first === undefined) throw new Error('The user has no categories yet.')
  return random.pick([first, ...others])
}

function anyPrayer({ prayers: [first, ...others] }: UserData, random: Random): Prayer {
  if (first === undefined) throw new Error('The user has no prayers.')
  return random.pick([first, ...others])
}

function byId(prayers: Prayer[]): Prayer[] {
  return prayers.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
