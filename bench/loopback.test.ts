import { describe, expect, it } from 'vitest'
import { refuseOtherMachines, requireLoopback } from './loopback.ts'

describe('an address', () => {
  it.each(['http://localhost:3000', 'http://127.0.0.1:1', 'http://127.9.9.9', 'http://[::1]:80/x'])(
    'of this machine is used: %s',
    (url) => {
      expect(requireLoopback(url)).toBe(url)
    },
  )

  it.each(['http://prayers.example', 'http://192.168.1.7:3000', 'http://127.0.0.1.example', 'http://[::2]'])(
    'of another machine is refused: %s',
    (url) => {
      expect(() => requireLoopback(url)).toThrow('is not on this machine')
    },
  )
})

describe('the environment', () => {
  it('may name the loopback address', () => {
    expect(() => refuseOtherMachines({ HOST: '127.0.0.1' })).not.toThrow()
  })

  it('may not name a database, which would be filled', () => {
    expect(() => refuseOtherMachines({ DATABASE_URL: 'postgresql://db.example/x' })).toThrow(
      'DATABASE_URL is set',
    )
  })

  it('may not open the server to others', () => {
    expect(() => refuseOtherMachines({ HOST: '0.0.0.0' })).toThrow('HOST is "0.0.0.0"')
  })
})
