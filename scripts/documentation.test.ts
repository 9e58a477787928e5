import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')

describe.each(pages.filter((page) => existsSync(join(ROOT, page))))('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8')

  it('links only to files that exist', () => {
    const targets = [...text.matchAll(/\]\((?!https?:|mailto:|#)(?<path>[^)#\s]+)/g)].map(
      ({ groups }) => groups?.['path'] ?? '',
    )
    expect(targets.filter((path) => !existsSync(join(ROOT, dirname(page), path)))).toEqual([])
  })

  it('names only tests that exist', () => {
    const tests = [...text.matchAll(/`(?<path>tests\/[\w./-]+)`/g)].map(
      ({ groups }) => groups?.['path'] ?? '',
    )
    expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })
})
