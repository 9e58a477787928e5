import { expect, it, vi } from 'vitest'
import type { Change, NewChange, Row, RowOf, Rules } from './schema.ts'
import { categoryRow as row, reorderOf, RULES } from './sync.test-data.ts'
import { applyChanges, createViews, unlessSame } from './view.ts'

const A = row('a', 'Family', 1)
const B = row('b', 'Friends', 2)

function show(rows: readonly Row[], ...changes: readonly Partial<NewChange>[]) {
  const all = changes.map((change) => changeOf(change))
  return applyChanges('categories', rows, all, RULES.categories)
}

function changeOf(change: Partial<NewChange>): Change {
  return {
    table: 'categories',
    kind: 'update',
    row: 'a',
    fields: {},
    base: {},
    id: 'change',
    user_id: 'me',
    at: '2026-03-01T09:00:00Z',
    ...change,
  }
}

it('shows the rows in their order, and those that no change affects as they are', () => {
  const shown = show([B, A], { row: 'b', fields: { name: 'Neighbours' } })
  expect(shown).toEqual([A, { ...B, name: 'Neighbours' }])
  expect(shown[0]).toBe(A)
})

it('applies changes in the order in which they were made', () => {
  const shown = show([A], { fields: { name: 'One' } }, { fields: { name: 'Two' } })
  expect(shown).toEqual([{ ...A, name: 'Two' }])
})

it('adds a row, changes it, and deletes it', () => {
  const { rev: _rev, ...fields } = B
  const insert = { kind: 'insert', row: 'b', fields } as const
  expect(show([A], insert)).toEqual([A, { ...B, rev: 0 }])
  expect(show([A], insert, { row: 'b', fields: { name: 'New' } })[1]).toEqual({ ...B, rev: 0, name: 'New' })
  expect(show([A], insert, { kind: 'delete', row: 'b' })).toEqual([A])
})

it('shows a row that the server has already as it is there', () => {
  const { rev: _rev, ...fields } = row('a', 'Old name', 9)
  expect(show([A], { kind: 'insert', fields })).toEqual([A])
})

it('leaves out changes of rows that do not exist, and of other tables', () => {
  expect(show([A], { row: 'gone', fields: { name: 'x' } })).toEqual([A])
  expect(show([A], { table: 'prayers', fields: { name: 'x' } })).toEqual([A])
})

it('leaves out rows that are not complete', () => {
  const { name: _name, ...incomplete } = B
  expect(show([A, incomplete], { kind: 'insert', row: 'c', fields: { id: 'c' } })).toEqual([A])
})

it('shows the effect of a function of the database', () => {
  const call = reorderOf('b', 'a')
  expect(show([A, B], call).map(({ id, order }) => [id, order])).toEqual([
    ['b', 1],
    ['a', 2],
  ])
  expect(show([A, B], { ...call, row: 'unknown' })).toEqual([A, B])
})

it('validates a row once, not after every change', () => {
  const isRow = vi.fn(RULES.categories.isRow)
  const validating: Rules['categories']['isRow'] = (each): each is Row & RowOf<'categories'> => isRow(each)
  const rules = { ...RULES, categories: { ...RULES.categories, isRow: validating } }
  const changes: Change[] = []
  const views = createViews(
    rules,
    (table) => (table === 'categories' ? [A, B] : []),
    () => changes,
  )
  expect(views.rows('categories')).toEqual([A, B])
  const change = changeOf({ fields: { name: 'New' } })
  changes.push(change)
  views.outdate([change])
  expect(views.rows('categories')[0]).toEqual({ ...A, name: 'New' })
  expect(isRow).toHaveBeenCalledTimes(2)
})

it('keeps the known row if the same one is received again, whose columns may be lists and objects', () => {
  const known = { ...A, labels: ['a', { colour: 'red' }] }
  expect(unlessSame(known, structuredClone(known))).toBe(known)
  const changed = { ...A, labels: ['a', { colour: 'blue' }] }
  expect(unlessSame(known, changed)).toBe(changed)
})
