import type { Category } from '#web/data/categories.ts'

/** A category for tests; whatever the test is about is given. */
export function sampleCategory(given: Partial<Category> = {}): Category {
  return {
    id: 'family',
    user_id: 'user-1',
    name: 'Family',
    order: 1,
    is_visible: true,
    created_at: '2026-01-01T00:00:00+00:00',
    updated_at: '2026-01-01T00:00:00+00:00',
    ...given,
  }
}
