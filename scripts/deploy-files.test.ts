import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'

const ROOT = join(import.meta.dirname, '..')
/** Variables of Node.js and of PostgreSQL's image. */
const FOREIGN = new Set([
  'NODE_ENV',
  'POSTGRES_USER',
  'POSTGRES_PASSWORD',
  'POSTGRES_DB',
  'POSTGRES_INITDB_ARGS',
])

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** `NAME=value`, even if it is commented out. */
const ASSIGNMENT = /^#?(?<name>[A-Z_]+)=(?<value>.*)$/gm
const DOCUMENTED = new Set(
  [...read('docs/configuration.md').matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name),
)

it.each([
  ['deploy/environment', ASSIGNMENT],
  ['deploy/intercede.service', /\b(?<name>[A-Z_]{4,})=(?=\S)/g],
  ['deploy/intercede-backup.service', /\b(?<name>[A-Z_]{4,})=(?=\S)/g],
  ['Dockerfile', /\b(?<name>[A-Z_]{4,})=(?=\S)/g],
  ['compose.yaml', /^\s+(?<name>[A-Z_]{4,}):/gm],
])('%s sets only variables that exist', (file, pattern) => {
  const names = [...read(file).matchAll(pattern)].map(({ groups }) => groups?.['name'] ?? '')
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !DOCUMENTED.has(name) && !FOREIGN.has(name))).toEqual([])
})

it('the example settings are valid', () => {
  const settings = [...read('deploy/environment').matchAll(ASSIGNMENT)].map(({ groups }) => [
    groups?.['name'],
    groups?.['value'],
  ])
  const config = readConfig(Object.fromEntries(settings))
  expect(config).toMatchObject({ siteUrl: 'https://prayers.example.org', trustProxy: 1, confirmEmail: true })
})

it('the image has the folders that the server reads its migrations from', () => {
  const dockerfile = read('Dockerfile')
  for (const folder of ['server/db/auth-schema', 'supabase/migrations'])
    expect(dockerfile).toContain(`COPY ${folder} ./${folder}`)
})

it('compose passes all variables in .env to the server', () => {
  const [, server] = read('compose.yaml').split(/^ {2}(?=\w+:$)/m)
  expect(server).toMatch(/^intercede:$/m)
  expect(server).toMatch(/^ {4}env_file: \.env$/m)
})
