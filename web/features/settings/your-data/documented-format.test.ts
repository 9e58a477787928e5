import { readFileSync } from 'node:fs'
import { keyof } from 'valibot'
import { expect, it } from 'vitest'
import { EXPORTED_ROWS, readExport } from './export-file.ts'

const PAGE = readFileSync(new URL('../../../../docs/export-format.md', import.meta.url), 'utf8')

it('the example in the documentation can be imported', () => {
  const example = /```json\n(?<text>[^]*?)\n```/.exec(PAGE)?.groups?.['text'] ?? ''
  const content: unknown = JSON.parse(example)
  expect(content).toMatchObject(readExport(content))
})

it('the table in the documentation lists every field that is read', () => {
  const documented = [...PAGE.matchAll(/^\| `(?<name>[^`]+)` /gm)].map((match) => match.groups?.['name'])
  expect(documented).toEqual([
    'format',
    'version',
    'exported_at',
    'account',
    'categories',
    ...keyof(EXPORTED_ROWS.categories).options.map((field) => `categories[].${field}`),
    'prayers',
    ...keyof(EXPORTED_ROWS.prayers).options.map((field) => `prayers[].${field}`),
    ...keyof(EXPORTED_ROWS.updates).options.map((field) => `updates[].${field}`),
  ])
})
