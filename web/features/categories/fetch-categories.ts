import { data as rest } from '#web/lib/data.ts'
import { rowsAfter } from '#web/lib/lists/rows-after.ts'
import { PAGE_SIZE } from '#shared/limits.ts'
import type { Category } from './category.ts'

/** A page of a person's categories, in their order, after the given one. */
export async function fetchCategoriesPage(
  userId: string,
  after: Category | null,
): Promise<readonly Category[]> {
  const all = rest
    .from('categories')
    .select('*')
    .eq('user_id', userId)
    .order('order')
    .order('created_at')
    .order('id')
    .limit(PAGE_SIZE)
    .throwOnError()
  const { data } = await (after ? all.or(behind(after)) : all)
  return data
}

function behind(category: Category): string {
  return rowsAfter([
    { column: 'order', value: category.order },
    { column: 'created_at', value: category.created_at },
    { column: 'id', value: category.id },
  ])
}
