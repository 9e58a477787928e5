// `npm run accounts`, run as an operator does, beside a server without a mail server whose sign-up is closed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { call, PASSWORD, sessionOf, signIn, type WireSession } from '#tests/contract/auth/auth-client.ts'
import { makeDataFolder } from '#tests/support/data-folder.ts'
import { send } from '#tests/support/data-requests.ts'
import { expectNoProcess } from '#tests/support/intercede-process.ts'
import { embeddedUrl, query, type Site, startSite } from './site.ts'

let dataDir: string
let site: Site

beforeAll(async () => {
  dataDir = await makeDataFolder()
  site = await startSite({ DATA_DIR: dataDir, AUTH_DISABLE_SIGNUP: 'true' }, embeddedUrl(dataDir))
})
afterAll(async () => {
  await site.process.end('SIGKILL')
  await expectNoProcess(dataDir)
  await rm(dataDir, { recursive: true, force: true })
})

/** Runs a command, which is given the answer to what it asks. */
async function run(args: readonly string[], answer = '') {
  const program = join(PACKAGE_ROOT, 'dist', 'server', 'accounts.js')
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, SITE_URL: site.url },
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  child.stdin.end(answer)
  const [code]: unknown[] = await once(child, 'close')
  return { code, output, errors }
}

async function succeed(...args: readonly string[]): Promise<string> {
  const { code, output, errors } = await run(args)
  if (code !== 0) throw new Error(errors)
  return output
}

const accountsAsJson = async (): Promise<unknown> => JSON.parse(await succeed('list', '--json'))

/** Opens the link in a text, and chooses a password. */
async function accept(text: string, password: string): Promise<void> {
  const [link = ''] = /http\S+/.exec(text) ?? []
  const { headers } = await fetch(link, { redirect: 'manual' })
  const token = new URLSearchParams((headers.get('location') ?? '').split('#')[1]).get('access_token') ?? ''
  const { status } = await call(site, 'PUT', '/user', { token, body: { password } })
  expect(status).toBe(200)
}

/** Invites somebody, who accepts and keeps something. */
async function invited(address: string): Promise<WireSession> {
  await accept(await succeed('invite', address), PASSWORD)
  const session = sessionOf(await signIn(site, address))
  const body = { name: 'Friends', order: 1 }
  await send(site, '/categories', { method: 'POST', token: session.access_token, body })
  return session
}

it('invites, lists, resets a password, blocks, unblocks, signs out and deletes', async () => {
  const { access_token: token } = await invited('ruth@example.org')
  const read = async () => (await send(site, '/categories', { token })).status
  expect(await accountsAsJson()).toMatchObject({
    total: 1,
    accounts: [
      {
        address: 'ruth@example.org',
        isConfirmed: true,
        hasTwoFactor: false,
        isBlocked: false,
        rows: 1,
        bytes: 9,
      },
    ],
  })
  expect(await succeed('list', 'RUTH')).toMatch(
    /^ADDRESS .*\nruth@example\.org .*\n1 account, page 1 of 1\n$/,
  )

  await succeed('block', 'ruth@example.org')
  expect(await read()).toBe(401)
  await succeed('unblock', 'ruth@example.org')
  expect(await read()).toBe(200)

  const reset = await succeed('reset-password', 'ruth@example.org')
  expect(reset).toContain('for one hour')
  await accept(reset, 'a louder horse')
  expect(await read()).toBe(401)
  const again = sessionOf(await signIn(site, 'ruth@example.org', 'a louder horse')).access_token
  await succeed('sign-out', 'ruth@example.org')
  expect((await send(site, '/categories', { token: again })).status).toBe(401)

  const refused = await run(['delete', 'ruth@example.org'], 'ruth\n')
  expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('Nothing was changed.') })
  expect(await run(['delete', 'ruth@example.org'], 'ruth@example.org\n')).toMatchObject({ code: 0 })
  expect(await accountsAsJson()).toMatchObject({ total: 0 })

  const log = await succeed('log')
  const actions = Array.from(log.matchAll(/^\S+ \S+ {2}(\S+) +command/gm), ([, action]) => action)
  expect(actions).toEqual(['delete', 'sign-out', 'reset-password', 'unblock', 'block', 'invite'])
  expect(log).not.toContain('ruth')
})

it('lists and withdraws invitations, and sends none to an address with an account', async () => {
  await invited('anna@example.org')
  const { code, output } = await run(['invite', 'anna@example.org', 'Ben@example.org', '--json'])
  expect([code, JSON.parse(output)]).toEqual([
    1,
    [
      { address: 'anna@example.org', result: 'has-account' },
      { address: 'ben@example.org', result: 'link', link: expect.stringMatching(/type=invite/) },
    ],
  ])
  expect(JSON.parse(await succeed('invite', '--list', '--json'))).toMatchObject([
    { address: 'ben@example.org' },
  ])
  await succeed('invite', '--withdraw', 'ben@example.org')
  expect(JSON.parse(await succeed('invite', '--list', '--json'))).toEqual([])
  expect(await run(['invite', '--withdraw', 'anna@example.org'])).toMatchObject({
    code: 1,
    errors: 'There is no open invitation\n',
  })
})

it('turns two-factor sign-in off after asking, and leaves an email that says so', async () => {
  const { user } = await invited('miriam@example.org')
  await query(
    embeddedUrl(dataDir),
    `insert into auth.mfa_factors (id, user_id, factor_type, status, secret, created_at, updated_at)
     values (gen_random_uuid(), '${user.id}', 'totp', 'verified', 'x', now(), now())`,
  )
  expect(await run(['remove-two-factor', 'miriam@example.org'], 'no\n')).toMatchObject({ code: 1 })
  const { code, output } = await run(['remove-two-factor', 'miriam@example.org'], 'yes\n')
  expect(code).toBe(0)
  expect(output).toContain(join(dataDir, 'outbox'))
  expect(await accountsAsJson()).toMatchObject({
    accounts: expect.arrayContaining([
      expect.objectContaining({ address: 'miriam@example.org', hasTwoFactor: false }),
    ]),
  })
})

it('makes a key, in place of the one before, and revokes it', async () => {
  const statusWith = async (key: string) => (await call(site, 'GET', '/admin/users', { token: key })).status
  const keyIn = (text: string) => /sb_secret_\S+/.exec(text)?.[0] ?? ''
  const first = keyIn(await succeed('key'))
  const second = keyIn(await succeed('key'))
  expect([await statusWith(first), await statusWith(second)]).toEqual([403, 200])
  await succeed('key', '--revoke')
  expect(await statusWith(second)).toBe(403)
})

it('explains itself, and what it does not understand', async () => {
  expect(await succeed('--help')).toContain('reset-password ADDRESS')
  expect(await succeed('block', '--help')).toContain('Ends all access')
  for (const [args, error] of [
    [['bloc', 'a@example.org'], 'There is no command "bloc".'],
    [['block'], 'This is how it is called'],
    [['block', 'a@example.org', '--page=2'], 'This is how it is called'],
    [['block', 'a@example.org'], 'There is no account for a@example.org.'],
    [['list', '--page=0'], '--page takes a number from 1 on.'],
  ] as const)
    expect(await run(args)).toMatchObject({ code: 1, output: '', errors: expect.stringContaining(error) })
})
