// What `npm run accounts` does, on a server without a mail server whose sign-up is closed.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createMailer } from '#server/mail/mailers.ts'
import { runAccountCommand } from '#server/commands/account-commands.ts'
import { call, newUser, PASSWORD, sessionOf, signIn } from '#tests/contract/auth/auth-client.ts'
import { addApp } from '#tests/contract/auth/two-factor-client.ts'
import { send } from '#tests/support/data-requests.ts'
import { useMailbox, useTestServer } from '#tests/support/shared-server.ts'

const mailbox = useMailbox()
const server = useTestServer(() => ({ config: { dataDir: mailbox.dataDir, disableSignup: true } }))

/** Runs a command, which is given the answer to what it asks. */
async function run(args: readonly string[], answer = '') {
  const { services } = server
  const printed: string[] = []
  const warnings: string[] = []
  const { isIncomplete } = await runAccountCommand(args, {
    ask: async () => answer,
    print: (text) => printed.push(text),
    warn: (text) => warnings.push(text),
    withServices: (work) => work({ ...services, mailer: createMailer(services) }),
  })
  return { output: printed.join('\n'), isIncomplete, warnings }
}

const outputOf = async (...args: readonly string[]) => (await run(args)).output

const jsonOf = async (...args: readonly string[]): Promise<unknown> =>
  JSON.parse(await outputOf(...args, '--json'))

/** Opens the link in a text, and chooses a password. */
async function accept(text: string, password: string): Promise<void> {
  const [link = ''] = /http\S+/.exec(text) ?? []
  const { pathname, search } = new URL(link)
  const { headers } = await fetch(`${server.url}${pathname}${search}`, { redirect: 'manual' })
  const token = new URLSearchParams((headers.get('location') ?? '').split('#')[1]).get('access_token') ?? ''
  const { status } = await call(server, 'PUT', '/user', { token, body: { password } })
  expect(status).toBe(200)
}

it('invites, lists, resets a password, blocks, unblocks, signs out and deletes', async () => {
  await accept(await outputOf('invite', 'ruth@example.org'), PASSWORD)
  const { access_token: token } = sessionOf(await signIn(server, 'ruth@example.org'))
  await send(server, '/categories', { method: 'POST', token, body: { name: 'Friends', order: 1 } })
  const read = async () => (await send(server, '/categories', { token })).status
  expect(await jsonOf('list')).toMatchObject({
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
  expect(await outputOf('list', 'RUTH')).toMatch(/^ADDRESS .*\nruth@example\.org .*\n1 account, page 1 of 1$/)

  await run(['block', 'ruth@example.org'])
  expect(await read()).toBe(401)
  await run(['unblock', 'ruth@example.org'])
  expect(await read()).toBe(200)

  const reset = await outputOf('reset-password', 'ruth@example.org')
  expect(reset).toContain('for one hour')
  await accept(reset, 'a louder horse')
  expect(await read()).toBe(401)
  const again = sessionOf(await signIn(server, 'ruth@example.org', 'a louder horse')).access_token
  await run(['sign-out', 'ruth@example.org'])
  expect((await send(server, '/categories', { token: again })).status).toBe(401)

  await expect(run(['delete', 'ruth@example.org'], 'ruth')).rejects.toThrow('Nothing was changed.')
  await run(['delete', 'ruth@example.org'], 'ruth@example.org')
  expect(await jsonOf('list')).toMatchObject({ total: 0 })

  const log = await outputOf('log')
  const actions = Array.from(log.matchAll(/^\S+ \S+ {2}(\S+) +command/gm), ([, action]) => action)
  expect(actions).toEqual(['delete', 'sign-out', 'reset-password', 'unblock', 'block', 'invite'])
  expect(log).not.toContain('ruth')
})

it('lists and withdraws invitations, and sends none to an address with an account', async () => {
  await newUser(server, 'anna@example.org')
  const { output, isIncomplete } = await run(['invite', 'anna@example.org', 'Ben@example.org', '--json'])
  expect([isIncomplete, JSON.parse(output)]).toEqual([
    true,
    [
      { address: 'anna@example.org', result: 'has-account' },
      { address: 'ben@example.org', result: 'link', link: expect.stringMatching(/type=invite/) },
    ],
  ])
  expect(await jsonOf('invite', '--list')).toMatchObject([{ address: 'ben@example.org' }])
  const addresses = ['nobody@example.org', 'anna@example.org', 'ben@example.org']
  expect(await run(['invite', '--withdraw', ...addresses])).toEqual({
    output:
      'nobody@example.org: There is no account for nobody@example.org.\n' +
      'anna@example.org: There is no open invitation\n' +
      'The invitation for ben@example.org is withdrawn.',
    isIncomplete: true,
    warnings: [],
  })
  expect(await jsonOf('invite', '--list')).toEqual([])
})

it('prints the link of each invitation before it makes the next', async () => {
  const { services } = server
  const interrupted = runAccountCommand(['invite', 'first@example.org', 'second@example.org'], {
    ask: async () => '',
    print: (text) => {
      throw new Error(text)
    },
    warn: () => {},
    withServices: (work) => work({ ...services, mailer: createMailer(services) }),
  })
  await expect(interrupted).rejects.toThrow(/first@example\.org[^]*type=invite/)
  expect(await outputOf('list', 'second@example.org')).toContain('0 accounts')
})

it('turns two-factor sign-in off after asking, and leaves an email that says so', async () => {
  await addApp(server, await newUser(server, 'miriam@example.org'))
  await expect(run(['remove-two-factor', 'miriam@example.org'], 'no')).rejects.toThrow('Nothing was changed.')
  const { output } = await run(['remove-two-factor', 'miriam@example.org'], 'yes')
  expect(output).toContain(join(mailbox.dataDir, 'outbox'))
  expect((await mailbox.emails()).at(-1)).toMatch(/^To: miriam@example\.org/m)
  expect(await jsonOf('list', 'miriam')).toMatchObject({ accounts: [{ hasTwoFactor: false }] })
})

it('makes a key, in place of the one before, and revokes it', async () => {
  const statusWith = async (key: string) => (await call(server, 'GET', '/admin/users', { token: key })).status
  const keyIn = (text: string) => /sb_secret_\S+/.exec(text)?.[0] ?? ''
  const first = keyIn(await outputOf('key'))
  const second = keyIn(await outputOf('key'))
  expect([await statusWith(first), await statusWith(second)]).toEqual([403, 200])
  await run(['key', '--revoke'])
  expect(await statusWith(second)).toBe(403)
  expect(await outputOf('key', '--revoke')).toBe('There is no service key.')
  expect((await outputOf('log')).match(/revoke-key/g)).toHaveLength(1)
})

it('warns of links that only this machine can open, and of an account that stays blocked', async () => {
  const links = expect.stringMatching(/^Links lead to http:\/\/localhost:\d+, .* set SITE_URL/)
  expect((await run(['invite', 'joel@example.org'])).warnings).toEqual([links])
  await accept(await outputOf('invite', 'joel@example.org'), PASSWORD)
  expect((await run(['block', 'joel@example.org'])).warnings).toEqual([])
  expect((await run(['reset-password', 'joel@example.org'])).warnings).toEqual([
    links,
    expect.stringContaining('joel@example.org is blocked'),
  ])
})

it('explains itself, and what it does not understand', async () => {
  expect(await outputOf('--help')).toContain('reset-password ADDRESS')
  expect(await outputOf('block', '--help')).toContain('Ends all access')
  for (const [args, error] of [
    [['bloc', 'a@example.org'], 'There is no command "bloc".'],
    [['block'], 'This is how it is called'],
    [['block', 'a@example.org', '--page=2'], 'This is how it is called'],
    [['block', 'a@example.org'], 'There is no account for a@example.org.'],
    [['invite', 'a@example.org', 'b,@example.org'], '"b,@example.org" is not an email address. Nothing'],
    [['list', '--page=0'], '--page takes a number from 1 on.'],
    [['list', '--page=2'], 'There is one page only.'],
  ] as const)
    await expect(run(args)).rejects.toThrow(error)
})
