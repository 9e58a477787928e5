import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readExport } from './read-export.ts'

const PAGE = readFileSync(new URL('../../../docs/export-format.md', import.meta.url), 'utf8')

it('the example of the documentation is a file that can be imported', () => {
  const example = /```json\n(?<text>[^]*?)\n```/.exec(PAGE)?.groups?.['text'] ?? ''
  const content: unknown = JSON.parse(example)
  expect(content).toMatchObject(readExport(content))
})

it('every field that is read is in the table of the documentation', () => {
  const named = [...PAGE.matchAll(/^\| `(?<name>[^`]+)` /gm)].map((match) => match.groups?.['name'])
  const [category, prayer] = [
    ['id', 'name', 'order', 'is_visible', 'created_at', 'updated_at'],
    ['id', 'category_id', 'person_name', 'note', 'resolved', 'created_at'],
  ]
  expect(named).toEqual([
    'format',
    'version',
    'exported_at',
    'account',
    'categories',
    ...(category ?? []).map((field) => `categories[].${field}`),
    'prayers',
    ...(prayer ?? []).map((field) => `prayers[].${field}`),
  ])
})
