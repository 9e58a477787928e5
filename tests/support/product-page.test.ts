import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** A promise of a page, with the lines that name its tests. */
interface Promised {
  text: string
  evidence: string[]
}

const ROOT = new URL('../../', import.meta.url)
/** Pages whose every promise names its tests, and how many promises they make at least. */
const PAGES: readonly [page: string, promises: number][] = [
  ['docs/product.md', 100],
  ['docs/security.md', 20],
]

/** `  - \`file\` "title of a test"`, and nothing else. */
const EVIDENCE = /^ {2}- `(?<file>[\w./-]+\.(?:test|spec)\.tsx?)` "(?<title>.+)"$/

/** A quoted title as the first argument of a test, or of what `test.each(…)` gives. */
const TITLE = /(?:\b(?:test|it)\(|\)\()\s*(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>).)+)\k<quote>,/gs

describe.each(PAGES)('%s', (page, least) => {
  const lines = read(page).split('\n')

  it('names a test for every promise', () => {
    const promises = readPromises(lines)
    expect(promises.length).toBeGreaterThan(least)
    expect(promises.filter(({ evidence }) => evidence.length === 0).map(({ text }) => text)).toEqual([])
  })

  it('names tests in one form only', () => {
    const naming = lines.filter((line) => /^\s+- /.test(line) || /\.(?:test|spec)\.tsx?\b/.test(line))
    expect(naming.filter((line) => !EVIDENCE.test(line))).toEqual([])
  })

  it('names tests that exist in the named file', () => {
    const named = readPromises(lines).flatMap(({ evidence }) => evidence)
    expect(named.filter((line) => !exists(line))).toEqual([])
  })
})

function readPromises(lines: readonly string[]): Promised[] {
  const promises: Promised[] = []
  for (const line of lines) {
    if (line.startsWith('- ')) promises.push({ text: line, evidence: [] })
    if (line.startsWith('  - ')) promises.at(-1)?.evidence.push(line)
  }
  return promises
}

function exists(line: string): boolean {
  const { file = '', title = '' } = EVIDENCE.exec(line)?.groups ?? {}
  if (!existsSync(new URL(file, ROOT))) return false
  return titlesOf(file).some((pattern) => pattern.test(title))
}

/** What matches the titles of the tests in a file. Parts that differ from case to case match anything. */
function titlesOf(file: string): RegExp[] {
  return [...read(file).matchAll(TITLE)].flatMap(({ groups }) => {
    const title = (groups?.['title'] ?? '').replaceAll(/\\(['"`])/g, '$1')
    const fixed = title.split(/\$\{[^}]*\}|%[a-z]|\$\w[\w.]*/)
    // A title without words of its own would match any other.
    return fixed.some((part) => /\w/.test(part)) ? [new RegExp(`^${fixed.map(escape).join('.+')}$`, 'u')] : []
  })
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}

function read(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8')
}
