import { describe, expect, it } from 'vitest'
import { contentLocation, parseQuery, queryOf } from './query-string.ts'

describe('a query string', () => {
  it('is split and decoded', () => {
    expect(parseQuery('select=%2A&name=eq.a+b%26c&flag&=x&&name=neq.%C3%A9')).toEqual([
      ['select', '*'],
      ['name', 'eq.a b&c'],
      ['flag', ''],
      ['', 'x'],
      ['name', 'neq.\u00e9'],
    ])
  })

  it('that is wrongly encoded is read as far as it goes', () => {
    expect(parseQuery('a=%zz&b=%ff')).toEqual([
      ['a', '%zz'],
      ['b', '\ufffd'],
    ])
  })

  it('is read without the public key', () => {
    expect(parseQuery('apikey=abc&select=id')).toEqual([['select', 'id']])
  })

  it('is what follows the question mark', () => {
    expect([queryOf('/a?b=c?d'), queryOf('/a')]).toEqual(['b=c?d', ''])
  })
})

it('the location of a read names its parameters in alphabetical order', () => {
  expect(contentLocation('prayers', parseQuery('select=*&order=a b&id=eq.1'))).toBe(
    '/prayers?id=eq.1&order=a%20b&select=*',
  )
  expect(contentLocation('prayers', [])).toBe('/prayers')
})
