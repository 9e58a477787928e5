import { array, nullable, number, object, optional, picklist, string } from 'valibot'
import { describe, expect, it } from 'vitest'
import { describedBy, formatOf } from './schema.ts'
import { RULES } from './sync.test-data.ts'

describe('the schema of a table', () => {
  const rules = describedBy(
    object({
      id: string(),
      rev: number(),
      note: nullable(string()),
      times: optional(number(), 0),
      labels: optional(nullable(array(object({ name: string() }))), null),
      urgency: picklist(['high', 'low']),
    }),
  )
  const row = { id: 'a', rev: 1, note: null, times: 0, labels: [{ name: 'red' }], urgency: 'low' }

  it('gives the columns, and what rows have in those that they may lack', () => {
    expect(rules.columns).toEqual(['id', 'rev', 'note', 'times', 'labels', 'urgency'])
    expect(rules.defaults).toEqual({ times: 0, labels: null })
  })

  it('tells which rows are valid; columns that a newer server has added do no harm', () => {
    expect(rules.isRow({ ...row, later: 'x' })).toBe(true)
    expect(rules.isRow({ ...row, note: 'x', labels: null })).toBe(true)
    expect(rules.isRow({ id: 'a', rev: 1 })).toBe(false)
    expect(rules.isRow({ ...row, note: 7 })).toBe(false)
    expect(rules.isRow({ ...row, times: null })).toBe(false)
    expect(rules.isRow({ ...row, labels: ['red'] })).toBe(false)
    expect(rules.isRow({ ...row, urgency: 'middling' })).toBe(false)
  })
})

it('the format of stored rows changes with every column', () => {
  const { prayers } = RULES
  const columns = [...prayers.columns, 'nickname']
  expect(formatOf({ ...RULES, prayers: { ...prayers, columns } })).not.toBe(formatOf(RULES))
})
