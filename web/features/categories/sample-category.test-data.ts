import type { Category } from '#web/data/categories.ts'

export function sampleCategory(fields: Partial<Category> = {}): Category {
  return {
    rev: 1,
    id: 'family',
    user_id: 'user-1',
    name: 'Family',
    order: 1,
    is_visible: true,
    created_at: '2026-01-01T00:00:00+00:00',
    updated_at: '2026-01-01T00:00:00+00:00',
    ...fields,
  }
}
