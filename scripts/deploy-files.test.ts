import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
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

it('the example settings are valid, and can be read by a shell as well as by systemd', () => {
  const settings = read('deploy/environment').replaceAll(ASSIGNMENT, '$<name>=$<value>')
  const output = execFileSync('sh', ['-c', `set -a\n${settings}\nenv -0`], { encoding: 'utf8', env: {} })
  const config = readConfig(Object.fromEntries(output.split('\0').map((line) => line.split(/=(.*)/s, 2))))
  expect(config).toMatchObject({
    siteUrl: 'https://prayers.example.org',
    trustProxy: 1,
    confirmEmail: true,
    mailFrom: 'Intercede <no-reply@prayers.example.org>',
    disableSignup: true,
  })
})

it('Node.js is found through PATH, which the settings may change', () => {
  const search = spawnSync('git', ['grep', '-E', '/bin/node\\b', '--', 'docs', 'deploy'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect(search).toMatchObject({ status: 1, stdout: '' })
})

it('nginx logs no requests, whose addresses contain one-time tokens', () => {
  const [, ...servers] = read('deploy/nginx.conf').split(/^server \{$/m)
  expect(servers).toHaveLength(2)
  for (const server of servers) expect(server).toMatch(/^ {2}access_log off;$/m)
})

it('Caddy logs no addresses with a query, which may contain one-time tokens', () => {
  const [, filter = ''] =
    /^\{\n\tlog \{\n\t\tformat filter \{\n(.*?)^\t\t\}$/ms.exec(read('deploy/Caddyfile')) ?? []
  expect(filter.split('\n').map((line) => line.trim())).toEqual(
    expect.arrayContaining([
      String.raw`request>uri regexp \?.*$ ""`,
      'request>headers>Referer delete',
      'resp_headers>Location delete',
    ]),
  )
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

it('the secrets and backups beside compose.yaml are neither in the image nor in git', () => {
  expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['**/.env', 'backups']))
  const paths = ['.env', 'supabase/.env', 'backups']
  const ignored = execFileSync('git', ['check-ignore', ...paths], { cwd: ROOT, encoding: 'utf8' })
  expect(ignored.trim().split('\n')).toEqual(paths)
})

it('the backup service removes what killed backups left, and old backups', () => {
  const folder = mkdtempSync(join(tmpdir(), 'intercede-timer-'))
  const now = Date.now() / 1000
  const day = 24 * 60 * 60
  const files = [
    { name: '2026-01-01-031500.sql.gz', age: 40 * day },
    { name: '2026-02-28-031500.sql.gz', age: 2 * day },
    { name: '2026-02-28-041500.sql.gz.unfinished-machine-1234', age: 2 * day },
    { name: '2026-03-01-031500.sql.gz.unfinished-machine-1235', age: day / 24 },
  ]
  for (const { name, age } of files) {
    writeFileSync(join(folder, name), '')
    utimesSync(join(folder, name), now - age, now - age)
  }
  const commands = read('deploy/intercede-backup.service').matchAll(
    /^ExecStart(?:Pre|Post)=(\S*find) (.*)$/gm,
  )
  for (const [, find = '', args = ''] of commands)
    execFileSync(find, args.replace('/var/backups/intercede', folder).split(' '))
  const left = readdirSync(folder)
  rmSync(folder, { recursive: true })
  expect(left.toSorted()).toEqual([
    '2026-02-28-031500.sql.gz',
    '2026-03-01-031500.sql.gz.unfinished-machine-1235',
  ])
})
