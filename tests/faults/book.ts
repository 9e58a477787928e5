import { randomUUID } from 'node:crypto'
import type { Chance } from './chance.ts'

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

/** All that one person keeps: categories in their order, prayers by id. Never changed, only replaced. */
export interface Book {
  categories: readonly Category[]
  prayers: readonly Prayer[]
}

/** A request that changes a book, and the book as it is when the request was carried out. */
export interface Change {
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
  after: Book
}

export const EMPTY_BOOK: Book = { categories: [], prayers: [] }

/** Rows of one request. Enough for half of them to be noticed. */
const MANY = 20
const MOST_CATEGORIES = 12
const MOST_PRAYERS = 120

type Make = (book: Book, chance: Chance) => Change

/** A book soon has some categories, and never more than fits into one answer. */
export function chooseChange(book: Book, chance: Chance): Change {
  if (book.categories.length < 3) return addCategory(book)
  if (book.prayers.length > MOST_PRAYERS) return clearCategory(book, chance)
  const kinds: [Make, ...Make[]] = [addPrayers, addPrayer, resolveCategory, deletePrayer, rename, reorder]
  if (book.categories.length < MOST_CATEGORIES) kinds.push(addCategory)
  return chance.pick(kinds)(book, chance)
}

function addCategory(book: Book): Change {
  const order = Math.max(0, ...book.categories.map((category) => category.order)) + 1
  const category = { id: randomUUID(), name: `Category ${String(order)}`, order }
  const after = { ...book, categories: [...book.categories, category] }
  return { method: 'POST', path: '/categories', body: category, after }
}

function rename(book: Book, chance: Chance): Change {
  const { id } = anyCategory(book, chance)
  const name = `Renamed ${String(chance.below(1e9))}`
  const categories = book.categories.map((category) =>
    category.id === id ? { ...category, name } : category,
  )
  return { method: 'PATCH', path: `/categories?id=eq.${id}`, body: { name }, after: { ...book, categories } }
}

function reorder(book: Book, chance: Chance): Change {
  const categories = chance
    .shuffled(book.categories)
    .map(({ id, name }, index) => ({ id, name, order: index + 1 }))
  const body = { category_ids: categories.map(({ id }) => id) }
  return { method: 'POST', path: '/rpc/reorder_categories', body, after: { ...book, categories } }
}

function addPrayer(book: Book, chance: Chance): Change {
  return insertPrayers(book, [newPrayer(book, chance)])
}

function addPrayers(book: Book, chance: Chance): Change {
  return insertPrayers(
    book,
    Array.from({ length: MANY }, () => newPrayer(book, chance)),
  )
}

function insertPrayers(book: Book, added: Prayer[]): Change {
  const after = { ...book, prayers: byId([...book.prayers, ...added]) }
  return { method: 'POST', path: '/prayers', body: added, after }
}

function newPrayer(book: Book, chance: Chance): Prayer {
  return {
    id: randomUUID(),
    category_id: anyCategory(book, chance).id,
    person_name: `Somebody ${String(chance.below(1e9))}`,
    resolved: false,
  }
}

function resolveCategory(book: Book, chance: Chance): Change {
  const { id } = anyCategory(book, chance)
  const resolved = chance.below(2) === 0
  const prayers = book.prayers.map((prayer) => (prayer.category_id === id ? { ...prayer, resolved } : prayer))
  const path = `/prayers?category_id=eq.${id}`
  return { method: 'PATCH', path, body: { resolved }, after: { ...book, prayers } }
}

function clearCategory(book: Book, chance: Chance): Change {
  const { category_id: id } = anyPrayer(book, chance)
  const prayers = book.prayers.filter((prayer) => prayer.category_id !== id)
  return { method: 'DELETE', path: `/prayers?category_id=eq.${id}`, after: { ...book, prayers } }
}

function deletePrayer(book: Book, chance: Chance): Change {
  if (book.prayers.length === 0) return addPrayer(book, chance)
  const { id } = anyPrayer(book, chance)
  const prayers = book.prayers.filter((prayer) => prayer.id !== id)
  return { method: 'DELETE', path: `/prayers?id=eq.${id}`, after: { ...book, prayers } }
}

function anyCategory({ categories: [first, ...others] }: Book, chance: Chance): Category {
  if (first === undefined) throw new Error('The book has no categories yet.')
  return chance.pick([first, ...others])
}

function anyPrayer({ prayers: [first, ...others] }: Book, chance: Chance): Prayer {
  if (first === undefined) throw new Error('The book has no prayers.')
  return chance.pick([first, ...others])
}

function byId(prayers: Prayer[]): Prayer[] {
  return prayers.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
