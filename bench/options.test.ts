import { describe, expect, it } from 'vitest'
import { PART_NAMES, readOptions, rejectOtherMachines, requireLoopback } from './options.ts'

describe('readOptions', () => {
  it('selects all parts by default', () => {
    expect(readOptions([])).toEqual({ parts: PART_NAMES, quick: false })
  })

  it.each([[['--only=page,plan']], [['--only', 'page,plan']]])(
    'selects parts in their fixed order: %s',
    (args) => {
      expect(readOptions([...args, '--quick'])).toEqual({ parts: ['plan', 'page'], quick: true })
    },
  )

  it.each(['--only=sever', '--only=', '--only=page,page2'])('rejects %s', (argument) => {
    expect(() => readOptions([argument])).toThrow(
      'server, plan, capacity, page, dashboard, waiting, encrypted',
    )
  })

  it('rejects unknown options', () => {
    expect(() => readOptions(['--fast'])).toThrow('--fast')
  })
})

describe('requireLoopback', () => {
  it.each(['http://localhost:3000', 'http://127.0.0.1:1', 'http://127.9.9.9', 'http://[::1]:80/x'])(
    'accepts %s',
    (url) => {
      expect(requireLoopback(url)).toBe(url)
    },
  )

  it.each(['http://prayers.example', 'http://192.168.1.7:3000', 'http://127.0.0.1.example', 'http://[::2]'])(
    'rejects %s',
    (url) => {
      expect(() => requireLoopback(url)).toThrow('is not on this machine')
    },
  )
})

describe('rejectOtherMachines', () => {
  it('accepts the loopback address', () => {
    expect(() => rejectOtherMachines({ HOST: '127.0.0.1' })).not.toThrow()
  })

  it('rejects a configured database, which the benchmark would fill', () => {
    expect(() => rejectOtherMachines({ DATABASE_URL: 'postgresql://db.example/x' })).toThrow(
      'DATABASE_URL is set',
    )
  })

  it('rejects an address that is open to others', () => {
    expect(() => rejectOtherMachines({ HOST: '0.0.0.0' })).toThrow('HOST is "0.0.0.0"')
  })
})
