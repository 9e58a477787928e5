import { parseSync } from 'vite'
import { expect, it } from 'vitest'
import { partsIn } from './vite-class-parts.ts'
import { withoutBlocks, withoutUnreached } from './vite-unreached.ts'

const CLIENT = [
  'class Client {',
  '  constructor() {',
  '    this.later = this.fromStart',
  '    this.used = { go: this.inUsedGroup }',
  '    this.unused = { go: this.inUnusedGroup }',
  '  }',
  '  called() { return this.helper() }',
  '  helper() { return this.#hidden() }',
  '  #hidden() { return 1 }',
  '  /* mentions called */',
  '  fromStart() {}',
  '  inUsedGroup() {}',
  '  inUnusedGroup() {}',
  '  idle() { return this.#idleHelper() }',
  '  #idleHelper() {}',
  '  get value() { return 1 }',
  '  static make() {}',
  '}',
].join('\n')

function left(texts: readonly string[], words: readonly string[]): string {
  const sources = texts.map((text) => ({ text, parts: partsIn(parseSync('library.js', text).program) }))
  return withoutUnreached(sources, words).join('\n')
}

it('keeps what is called, what that calls, and what the class itself mentions', () => {
  const code = left([CLIENT], ['called', 'used'])
  for (const kept of ['called()', 'helper()', '#hidden()', 'fromStart()', 'inUsedGroup()'])
    expect(code).toContain(`  ${kept} {`)
})

it('leaves out the rest, whole groups of methods included', () => {
  const code = left([CLIENT], ['called', 'used'])
  expect(code).not.toMatch(/idle/i)
  expect(code).not.toMatch(/unused/i)
  expect(parseSync('library.js', code).errors).toEqual([])
})

it('keeps what can be used without a call', () => {
  expect(left([CLIENT], [])).toContain('get value()')
  expect(left([CLIENT], [])).toContain('static make()')
})

it('keeps every method of a name that is called, in whichever class it is', () => {
  const twice = 'class A {\n  go() {}\n}\nclass B {\n  go() {}\n}'
  expect(left([twice], ['go'])).toBe(twice)
})

it('keeps what another file of the library calls', () => {
  const caller = 'export function start(client) { client.idle() }'
  expect(left([CLIENT, caller], [])).toContain('#idleHelper() {}')
})

it('leaves out blocks for settings that nobody chooses, and nothing that has another way', () => {
  const kept = ['  if (this.lock) {', '    go()', '  }', '  else {', '    stay()', '  }', '']
  const cut = [
    '  if (this.lock) {',
    '    if (more) {',
    '    }',
    '  }',
    '  if (this.lock && more) {',
    '  }',
    '',
  ]
  const after = ['  if (more && this.lock) {', '  }', '']
  const source = [kept, cut, after].map((lines) => lines.join('\n')).join('')
  expect(withoutBlocks(source, ['this.lock'])).toBe([kept, after].map((lines) => lines.join('\n')).join(''))
})
