import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((page) => existsSync(join(ROOT, page)))

function read(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  const text = read(page).replaceAll(/^```[^]*?^```$/gm, '')
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe.each(pages)('%s', (page) => {
  const text = read(page)

  it('links only to files and headings that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:|mailto:)(?<path>[^)#\s]*)#?(?<anchor>[^)\s]*)/g)]
    const broken = links.filter(({ groups }) => {
      const target = groups?.['path'] === '' ? page : join(dirname(page), groups?.['path'] ?? '')
      const anchor = groups?.['anchor'] ?? ''
      if (!existsSync(join(ROOT, target))) return true
      return anchor !== '' && !anchorsOf(target).includes(anchor)
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })

  it('names only files and folders that exist', () => {
    const named = [...text.matchAll(/`(?<path>(?:[\w-]+\/)+[\w.-]+\.tsx?|(?:tests|web|server)\/[\w./-]+)`/g)]
    const paths = named.map(({ groups }) => groups?.['path'] ?? '')
    const isThere = (path: string) =>
      existsSync(join(ROOT, path)) || existsSync(join(ROOT, dirname(page), path))
    expect(paths.filter((path) => !isThere(path))).toEqual([])
  })
})
