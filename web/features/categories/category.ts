import type { Database } from '#shared/database.types.ts'

/** A category as it is kept. */
export type Category = Database['public']['Tables']['categories']['Row']

/** What can be changed about a category by itself; its place is changed by reordering. */
export type CategoryFields = Pick<Category, 'name' | 'is_visible'>
