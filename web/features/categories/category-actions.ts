import type { QueryClient } from '@tanstack/react-query'
import { Refusal } from '#web/lib/error-text.ts'
import { knownList } from '#web/lib/lists/known-list.ts'
import { listQuery } from '#web/lib/lists/list-query.ts'
import { sendChange, type OutgoingChange } from '#web/lib/lists/send-change.ts'
import { signedIn } from '#web/lib/lists/signed-in.ts'
import type { CategoriesDefinition } from './categories-list.ts'
import type { CategoryChange } from './category-change.ts'
import { nextOrder } from './category-order.ts'
import {
  deleteCategory,
  HOLDS_PRAYERS,
  insertCategory,
  sendOrder,
  updateCategory,
} from './category-requests.ts'
import type { Category, CategoryFields } from './category.ts'

/** How many prayers a category holds; rejects if that can't be found out. */
export type CountPrayers = (categoryId: string) => Promise<number>

/** Adds a category at the end, under the given id: tried again with the same id, it is still the same category. */
export async function addCategory(
  client: QueryClient,
  list: CategoriesDefinition,
  id: string,
  name: string,
): Promise<void> {
  const user_id = signedIn(list.userId)
  const { rows } = await client.query(listQuery(list))
  const now = new Date().toISOString()
  const category: Category = {
    id,
    user_id,
    name,
    order: nextOrder(rows.filter((row) => row.id !== id)),
    is_visible: true,
    created_at: now,
    updated_at: now,
  }
  await send(client, list, {
    change: { kind: 'saved', category },
    row: id,
    send: async () => ({ kind: 'saved', category: await insertCategory(category) }),
    onFailure: 'restore-row',
  })
}

/** Renames, hides or shows a category. */
export async function editCategory(
  client: QueryClient,
  list: CategoriesDefinition,
  id: string,
  fields: Partial<CategoryFields>,
): Promise<void> {
  signedIn(list.userId)
  if (!knownList(client, list)?.rows.some((row) => row.id === id)) throw new Refusal('Category not found')
  await send(client, list, {
    change: { kind: 'edited', id, fields },
    row: id,
    // Only what was edited is taken over: a reorder under way may give the row another number than this answer says.
    send: async () => ({
      kind: 'edited',
      id,
      fields: answeredFields(fields, await updateCategory(id, fields)),
    }),
    onFailure: 'restore-row',
  })
}

function answeredFields(sent: Partial<CategoryFields>, answer: Category): Partial<CategoryFields> {
  return {
    ...(sent.name !== undefined && { name: answer.name }),
    ...(sent.is_visible !== undefined && { is_visible: answer.is_visible }),
  }
}

/** Deletes a category that holds no prayers. */
export async function removeCategory(
  client: QueryClient,
  list: CategoriesDefinition,
  countPrayers: CountPrayers,
  id: string,
): Promise<void> {
  signedIn(list.userId)
  if ((await countPrayers(id)) > 0) throw new Refusal(HOLDS_PRAYERS)
  await send(client, list, {
    change: { kind: 'deleted', id },
    row: id,
    send: async () => {
      await deleteCategory(id)
      return { kind: 'deleted', id }
    },
    onFailure: 'refetch',
  })
}

/** Puts the categories into the order of the given ids, which name all of them. */
export async function orderCategories(
  client: QueryClient,
  list: CategoriesDefinition,
  ids: readonly string[],
): Promise<void> {
  signedIn(list.userId)
  const change: CategoryChange = { kind: 'reordered', ids }
  await send(client, list, {
    change,
    row: 'order',
    send: async () => {
      await sendOrder(ids)
      return change
    },
    onFailure: 'refetch',
  })
}

function send(client: QueryClient, list: CategoriesDefinition, change: OutgoingChange<CategoryChange>) {
  return sendChange<Category, CategoryChange>(client, list, change)
}
