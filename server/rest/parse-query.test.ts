import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../errors/api-error.ts'
import { parseOrder, parseParameters, parseQuery, parseSelect } from './parse-query.ts'

describe('a query string', () => {
  it('is split and decoded', () => {
    expect(parseParameters('/x?select=%2A&name=eq.a+b%26c&flag&=x&&name=neq.%C3%A9')).toEqual([
      ['select', '*'],
      ['name', 'eq.a b&c'],
      ['flag', ''],
      ['', 'x'],
      ['name', 'neq.\u00e9'],
    ])
  })

  it('with invalid encoding is decoded as far as possible', () => {
    expect(parseParameters('/x?a=%zz&b=%ff')).toEqual([
      ['a', '%zz'],
      ['b', '\ufffd'],
    ])
  })

  it('is parsed without the anon key', () => {
    expect(parseParameters('/x?apikey=abc&select=id')).toEqual([['select', 'id']])
  })

  it('is what follows the first question mark', () => {
    expect([parseParameters('/a?b=c?d'), parseParameters('/a')]).toEqual([[['b', 'c?d']], []])
  })
})

it('of a repeated parameter the first counts, while orders are concatenated and each condition holds', () => {
  const url = '/x?select=id&limit=1&offset=2&columns=a&on_conflict=id&order=id&a=eq.1'
  const repeated = '&select=name&limit=9&offset=9&columns=b&on_conflict=b&order=name.desc&a=eq.2'
  const { conditions, order, ...others } = parseQuery(parseParameters(url + repeated))
  const first = parseQuery(parseParameters(url))
  expect({ ...first, ...others }).toEqual(first)
  expect(order).toEqual([...parseOrder('id'), ...parseOrder('name.desc')])
  expect(conditions).toHaveLength(2)
})

describe('a selection', () => {
  const column = (name: string) => ({ kind: 'column', column: name })

  it.each([
    ['*', [{ kind: 'all' }]],
    ['', [{ kind: 'all' }]],
    ['id,name', [column('id'), column('name')]],
    [' id , name ', [column('id'), column('name')]],
    ['*,name', [{ kind: 'all' }, column('name')]],
    ['"a:b",id', [column('a:b'), column('id')]],
  ])('%j', (text, expected) => {
    expect(parseSelect(text)).toEqual(expected)
  })

  it.each([
    ['id,', '"failed to parse select parameter (id,)" (line 1, column 4)'],
    ['"odd,name","an ""odd', '"failed to parse select parameter ("odd,name","an ""odd)" (line 1, column 17)'],
    ['id)', '"failed to parse select parameter (id))" (line 1, column 3)'],
  ])('%j is a syntax error', (text, message) => {
    expect(() => parseSelect(text)).toThrow(
      expect.objectContaining({ status: 400, code: 'PGRST100', message }),
    )
  })

  it.each(['categories(*)', 'categories!inner(*)', '...categories(name)', 'id,a(b(c))'])(
    '%j embeds another table and is rejected',
    (text) => {
      expect(() => parseSelect(text)).toThrow(
        expect.objectContaining({
          status: 400,
          code: 'PGRST127',
          message: expect.stringMatching(/^Not supported by this server: embedding other tables \('\w+'\)$/),
        }),
      )
    },
  )

  it.each(['count()', 'order.max()'])('%j aggregates and is rejected', (text) => {
    expect(() => parseSelect(text)).toThrow(expect.objectContaining({ status: 400, code: 'PGRST123' }))
  })

  it('is either parsed or rejected with an ApiError', () => {
    const text = fc.string({
      unit: fc.constantFrom('*', 'a', ':', '::', '(', ')', ',', '"', '.', '!', ' ', '\\'),
    })
    fc.assert(
      fc.property(text, (value) => {
        try {
          parseSelect(value)
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
        }
      }),
      { seed: 6, numRuns: 1000 },
    )
  })
})

describe('an order', () => {
  it('consists of terms with a direction and a position for nulls', () => {
    expect(parseOrder('name,created_at.desc, note.asc.nullsfirst ,"a.b".nullslast')).toEqual([
      { column: 'name', direction: null, nulls: null },
      { column: 'created_at', direction: 'desc', nulls: null },
      { column: 'note', direction: 'asc', nulls: 'nullsfirst' },
      { column: 'a.b', direction: null, nulls: 'nullslast' },
    ])
  })

  it.each([
    ['name.down', 'unexpected "." expecting "asc", "desc", "nullsfirst" or "nullslast"'],
    ['name.desc.last', 'unexpected "." expecting "nullsfirst" or "nullslast"'],
    ['name.nullslastx', 'unexpected "x" expecting "," or end of input'],
    ['name,', 'unexpected end of input expecting field name (* or [a..z0..9_$])'],
    ['name desc;', 'unexpected ";" expecting "asc", "desc", "nullsfirst" or "nullslast"'],
  ])('%j is a syntax error', (text, details) => {
    expect(() => parseOrder(text)).toThrow(
      expect.objectContaining({ status: 400, code: 'PGRST100', details }),
    )
  })

  it('by a column of another table is rejected', () => {
    expect(() => parseOrder('categories(name).desc')).toThrow(expect.objectContaining({ code: 'PGRST108' }))
  })
})
