import { expect, it } from 'vitest'
import { withoutUnreached } from './vite-leave-out.ts'

const SOURCE = [
  'class Client {',
  '  constructor() { this.later = this.fromStart }',
  '  called() { return this.helper() }',
  '  helper() { return 1 }',
  '  /* mentions called */',
  '  fromStart() {}',
  '  idle() { return this.idleHelper() }',
  '  idleHelper() {}',
  '}',
].join('\n')

const methods = ['called', 'helper', 'fromStart', 'idle', 'idleHelper'].map((name) => {
  const start = SOURCE.indexOf(`  ${name}()`)
  return { name, start, end: SOURCE.indexOf('\n', start) }
})

it('keeps what is called, what that calls, and what the class itself mentions', () => {
  const left = withoutUnreached(SOURCE, methods, ['called'])
  expect(left).toContain('called() {')
  expect(left).toContain('helper() {')
  expect(left).toContain('fromStart() {')
})

it('leaves out the rest', () => {
  expect(withoutUnreached(SOURCE, methods, ['called'])).not.toContain('idle')
})

it('keeps every method of a name that is called, in whichever class it is', () => {
  const twice = 'class A {\n  go() {}\n}\nclass B {\n  go() {}\n}'
  const both = [...twice.matchAll(/ {2}go\(\) {}/g)].map(({ index }) => ({
    name: 'go',
    start: index,
    end: index + 8,
  }))
  expect(withoutUnreached(twice, both, ['go'])).toBe(twice)
})
