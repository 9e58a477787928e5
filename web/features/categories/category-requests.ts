import { data as rest } from '#web/lib/data.ts'
import { Refusal } from '#web/lib/error-text.ts'
import type { Category, CategoryFields } from './category.ts'

const SAVED_ALREADY = '23505'
/** A restriction is a foreign key violation up to PostgreSQL 17, and has a code of its own from 18 on. */
const STILL_IN_USE = new Set(['23503', '23001'])

/** Said by the list of categories where the one to delete holds prayers. */
export const HOLDS_PRAYERS =
  'Cannot delete category with existing prayers. Please delete or move all prayers from this category first.'

/** Adds a category under an id of our own. If it was saved before and only the answer was lost, it now has this name. */
export async function insertCategory(added: Category): Promise<Category> {
  const { id, user_id, name, order, is_visible, created_at } = added
  const category = { id, user_id, name, order, is_visible, created_at }
  const { data, error } = await rest.from('categories').insert(category).select().single()
  if (error?.code === SAVED_ALREADY) return updateCategory(id, { name })
  if (error) throw error
  return data
}

export async function updateCategory(id: string, fields: Partial<CategoryFields>): Promise<Category> {
  const changes = { ...fields, updated_at: new Date().toISOString() }
  const { data } = await rest
    .from('categories')
    .update(changes)
    .eq('id', id)
    .select()
    .maybeSingle()
    .throwOnError()
  if (!data) throw new Refusal('Category not found')
  return data
}

/** Deletes a category, unless it holds prayers. One that is gone already is as good as deleted. */
export async function deleteCategory(id: string): Promise<void> {
  const { error } = await rest.from('categories').delete().eq('id', id)
  if (error && STILL_IN_USE.has(error.code)) throw new Refusal(HOLDS_PRAYERS)
  if (error) throw error
}

/** Renumbers all categories by the complete ordered list of their ids, in one step. */
export async function sendOrder(ids: readonly string[]): Promise<void> {
  await rest.rpc('reorder_categories', { category_ids: [...ids] }).throwOnError()
}
