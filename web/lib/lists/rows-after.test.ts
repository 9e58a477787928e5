import { expect, it } from 'vitest'
import { rowsAfter } from './rows-after.ts'

it('asks for smaller values where the order descends', () => {
  expect(
    rowsAfter([
      { column: 'created_at', value: '2026-01-01T10:00:00.5+00:00', descending: true },
      { column: 'id', value: 'b', descending: true },
    ]),
  ).toBe(
    'created_at.lt."2026-01-01T10:00:00.5+00:00",and(created_at.eq."2026-01-01T10:00:00.5+00:00",id.lt."b")',
  )
})

it('asks for greater values where the order ascends, numbers unquoted', () => {
  expect(
    rowsAfter([
      { column: 'order', value: 3 },
      { column: 'created_at', value: 't' },
      { column: 'id', value: 'b' },
    ]),
  ).toBe('order.gt.3,and(order.eq.3,created_at.gt."t"),and(order.eq.3,created_at.eq."t",id.gt."b")')
})

it('quotes what would end the value', () => {
  expect(rowsAfter([{ column: 'id', value: 'a"\\b' }])).toBe('id.gt."a\\"\\\\b"')
})
