import { expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import type { ChangeContent } from './change.ts'
import type { Row, RowOf, Rules } from './schema.ts'
import { applyEvent, createState, type State } from './state.ts'
import { categoryRow as row, deleteOf, insertOf, reorderOf, RULES, updateOf } from './sync.test-data.ts'
import { createViews } from './view.ts'

const A = row('a', 'Family', 1)
const B = row('b', 'Friends', 2)

const CATEGORIES = ['categories'] as const

function loaded(rows: readonly Row[]): State {
  const stored = rows.map((each) => ({ table: 'categories' as const, row: each }))
  const contents = { version: 1, rows: stored, outbox: [], rejected: [], cursor: null }
  const state = createState(RULES)
  applyEvent(state, { type: 'loaded', contents, tables: CATEGORIES }, RULES)
  return state
}

function make(state: State, change: ChangeContent, index = 0): void {
  const made = { id: String(index), user_id: 'me', at: '2026-03-01T09:00:00Z', seen: [] }
  applyEvent(state, { type: 'made', changes: [Object.assign({}, change, made)] }, RULES)
}

function show(rows: readonly Row[], ...changes: readonly ChangeContent[]) {
  const state = loaded(rows)
  for (const [index, change] of changes.entries()) make(state, change, index)
  return createViews(state, RULES).rows('categories')
}

const update = (id: string, name: string) => updateOf('categories', id, { name })

it('shows the rows in their order, and those that no change affects as they are', () => {
  const shown = show([B, A], update('b', 'Neighbours'))
  expect(shown).toEqual([A, { ...B, name: 'Neighbours' }])
  expect(shown[0]).toBe(A)
})

it('applies changes in the order in which they were made', () => {
  const shown = show([A], update('a', 'One'), update('a', 'Two'))
  expect(shown).toEqual([{ ...A, name: 'Two' }])
})

it('adds a row, changes it, and deletes it', () => {
  const insert = insertOf('categories', B)
  expect(show([A], insert)).toEqual([A, { ...B, rev: 0 }])
  expect(show([A], insert, update('b', 'New'))[1]).toEqual({ ...B, rev: 0, name: 'New' })
  expect(show([A], insert, deleteOf('categories', 'b'))).toEqual([A])
})

it('shows a row that the server has already as it is there', () => {
  expect(show([A], insertOf('categories', row('a', 'Old name', 9)))).toEqual([A])
})

it('leaves out changes of rows that do not exist, and of other tables', () => {
  expect(show([A], update('gone', 'x'))).toEqual([A])
  expect(show([A], updateOf('prayers', 'a', { note: 'x' }))).toEqual([A])
})

it('leaves out rows that are not complete, and reports that once', () => {
  expectConsoleError('Rows of categories cannot be shown')
  const { name: _name, ...incomplete } = B
  const insert: ChangeContent = { table: 'categories', kind: 'insert', row: 'c', fields: { id: 'c' } }
  expect(show([A, incomplete], insert)).toEqual([A])
})

it('validates a row once, not after every change', () => {
  const isRow = vi.fn(RULES.categories.isRow)
  const validating: Rules['categories']['isRow'] = (each): each is Row & RowOf<'categories'> => isRow(each)
  const state = loaded([A, B])
  const views = createViews(state, { ...RULES, categories: { ...RULES.categories, isRow: validating } })
  expect(views.rows('categories')).toEqual([A, B])
  make(state, update('a', 'New'))
  expect(views.rows('categories')[0]).toEqual({ ...A, name: 'New' })
  expect(views.countUnreadable()).toBe(0)
  expect(isRow).toHaveBeenCalledTimes(2)
})

it('computes no other rows again after a change, however many have changes', () => {
  const derive = vi.fn(() => ({}))
  const rows = Array.from({ length: 100 }, (_, index) => row(String(index), 'Family', index))
  const state = loaded(rows)
  const views = createViews(state, { ...RULES, categories: { ...RULES.categories, derive } })
  for (const { id } of rows) make(state, update(id, 'Friends'), Number(id))
  const before = views.rows('categories')
  derive.mockClear()
  make(state, update('7', 'Neighbours'), 100)
  expect(views.rows('categories').filter((each, index) => each !== before[index])).toHaveLength(1)
  // The two changes of this row.
  expect(derive).toHaveBeenCalledTimes(2)
})

it('hardly compares rows again after a change', () => {
  const rows = Array.from({ length: 1000 }, (_, index) => row(String(index), 'Family', (index * 337) % 1000))
  const compare = vi.fn(RULES.categories.compare)
  const state = loaded(rows)
  const views = createViews(state, { ...RULES, categories: { ...RULES.categories, compare } })
  const before = views.rows('categories')
  compare.mockClear()
  make(state, insertOf('categories', row('new', 'Friends', -1)))
  const after = views.rows('categories')
  expect(after.map(({ order }) => order)).toEqual([-1, ...before.map(({ order }) => order)])
  expect(compare.mock.calls.length).toBeLessThan(20)
})

it('shows the effect of a function of the database', () => {
  const call = reorderOf('b', 'a')
  const ofOtherTable: ChangeContent = { table: 'categories', kind: 'call', name: 'mark_prayed', args: {} }
  expect(show([A, B], call).map(({ id, order }) => [id, order])).toEqual([
    ['b', 1],
    ['a', 2],
  ])
  expect(show([A, B], ofOtherTable)).toEqual([A, B])
})
