import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseEmailAddress } from '../auth/account-rules.ts'
import { findAccountByEmail, isBanned, type Account } from '../auth/account.ts'
import {
  deleteAccount,
  endOfInvitation,
  listAccounts,
  removeTwoFactor,
  setBlocked,
  signOutEverywhere,
  withdrawInvitation,
} from '../auth/account-administration.ts'
import { makeSignInLink } from '../auth/administration-links.ts'
import { readActions, type AdminServices } from '../auth/administration-log.ts'
import { sendMadeLink } from '../auth/one-time-links.ts'
import { hasSecondFactor } from '../auth/factors/second-factor.ts'
import { makeServiceKey, revokeServiceKey } from '../auth/service-key.ts'
import { ApiError } from '../errors/api-error.ts'
import { CommandError } from '../errors/operator-errors.ts'

const PROGRAM = 'npm run accounts --'
const BY = 'command'
const PER_PAGE = 50

/** Asks the operator something; resolves to the answer. */
type Ask = (question: string) => Promise<string>

/** What a command has done, as JSON and for people. */
interface Outcome {
  json: unknown
  /** Null if it was printed already. */
  text: string | null
  /** Whether something that was asked for was not done. */
  isIncomplete?: boolean
}

interface Given {
  services: AdminServices
  ask: Ask
  /** Prints a part of the text at once; nothing if JSON is asked for. */
  print: (text: string) => void
  warn: (text: string) => void
  /** What follows the command's name. */
  args: readonly string[]
  page: number
  /** Whether an option of the command was given. */
  has: (option: string) => boolean
}

interface Command {
  /** What may follow its name. */
  usage: string
  help: string
  /** Its own options, besides --help and --json. */
  options?: readonly string[]
  /** How many arguments it takes, at least and at most. */
  takes: readonly [number, number]
  run: (given: Given) => Promise<Outcome>
}

const ONE = [1, 1] as const

const COMMANDS: Readonly<Record<string, Command>> = {
  list: {
    usage: '[PART] [--page N]',
    help: 'Lists accounts, or those whose address contains PART: what they hold and when they were used, but no names or texts.',
    options: ['page'],
    takes: [0, 1],
    run: list,
  },
  invite: {
    usage: 'ADDRESS... | --list | --withdraw ADDRESS...',
    help: 'Sends a link with which somebody gets an account, for seven days. Lists the invitations nobody has accepted yet, or withdraws some.',
    options: ['list', 'withdraw'],
    takes: [0, Infinity],
    run: invite,
  },
  'reset-password': {
    usage: 'ADDRESS',
    help: 'Sends a link with which a user chooses a new password, for one hour.',
    takes: ONE,
    run: resetPassword,
  },
  'remove-two-factor': {
    usage: 'ADDRESS',
    help: 'Turns two-factor sign-in off for somebody who has lost app and recovery codes, and tells them by email. Asks first.',
    takes: ONE,
    run: turnTwoFactorOff,
  },
  'sign-out': { usage: 'ADDRESS', help: 'Signs a user out on all devices.', takes: ONE, run: signOut },
  block: {
    usage: 'ADDRESS',
    help: 'Ends all access to an account until it is unblocked. Nothing is deleted.',
    takes: ONE,
    run: (given) => block(given, true),
  },
  unblock: { usage: 'ADDRESS', help: 'Takes that back.', takes: ONE, run: (given) => block(given, false) },
  delete: {
    usage: 'ADDRESS',
    help: 'Deletes an account with everything in it. Asks for the address again.',
    takes: ONE,
    run: remove,
  },
  key: {
    usage: '[--revoke]',
    help: 'Makes the service key, with which programs use the admin API, in place of the one before; or ends it.',
    options: ['revoke'],
    takes: [0, 0],
    run: key,
  },
  log: {
    usage: '[--page N]',
    help: 'Shows what was done by these commands and with the service key within a year.',
    options: ['page'],
    takes: [0, 0],
    run: log,
  },
}

async function list({ services, args: [filter = ''], page }: Given): Promise<Outcome> {
  const now = services.clock.now()
  const { listed, total } = await listAccounts(services.pool, { filter, page, perPage: PER_PAGE })
  const accounts = listed.map(({ account, lastUsed, rows, bytes }) => ({
    address: account.email ?? '',
    created: toDate(account.created_at),
    lastUsed,
    isConfirmed: account.email_confirmed_at !== null,
    hasTwoFactor: hasSecondFactor(account),
    isBlocked: isBanned(account, now),
    rows,
    bytes,
  }))
  const pages = Math.max(1, Math.ceil(total / PER_PAGE))
  if (page > pages)
    throw new CommandError(pages === 1 ? 'There is one page only.' : `There are only ${String(pages)} pages.`)
  const table = tableOf(
    ['address', 'created', 'last used', 'confirmed', 'two-factor', 'blocked', 'rows', 'bytes'],
    accounts.map((one) => [
      one.address,
      shown(one.created),
      shown(one.lastUsed),
      yesOrNo(one.isConfirmed),
      yesOrNo(one.hasTwoFactor),
      yesOrNo(one.isBlocked),
      String(one.rows),
      String(one.bytes),
    ]),
  )
  const footer = `${String(total)} ${total === 1 ? 'account' : 'accounts'}, page ${String(page)} of ${String(pages)}`
  return { json: { accounts, page, pages, total }, text: `${table}\n${footer}` }
}

async function invite(given: Given): Promise<Outcome> {
  const { services, args, has } = given
  if (has('list')) return listInvitations(services)
  if (args.length === 0) throw new CommandError(`Name an address: ${PROGRAM} invite ADDRESS`)
  if (has('withdraw')) return forEachAddress(given, (address) => withdraw(services, address))
  warnAboutLinks(given)
  return forEachAddress(given, (address) => inviteOne(services, address))
}

/** Without the server's settings, links would lead to the default. */
function warnAboutLinks({ services, warn }: Given): void {
  const { siteUrl } = services.config
  if (new URL(siteUrl).hostname === 'localhost')
    warn(`Links lead to ${siteUrl}, which only this machine can open: set SITE_URL to the server's address.`)
}

/** What was done for one address. */
interface Result {
  result: string
  link?: string
  text: string
}

/** Prints each result at once: whatever happens to those after it, nobody could show its link again. */
async function forEachAddress(
  { args, print }: Given,
  work: (address: string) => Promise<Result>,
): Promise<Outcome> {
  const results = []
  for (const address of args.map(parseAddress)) {
    const { text, ...result } = await work(address).catch((error: unknown) => ({
      result: 'failed',
      text: `${address}: ${error instanceof Error ? error.message : String(error)}`,
    }))
    print(text)
    results.push({ address, ...result })
  }
  const isIncomplete = results.some(({ result }) => result === 'has-account' || result === 'failed')
  return { json: results, text: null, isIncomplete }
}

async function inviteOne(services: AdminServices, address: string): Promise<Result> {
  try {
    return await sendLink(services, { type: 'invite', action: 'invite', address })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'email_exists')) throw error
    return { result: 'has-account', text: `${address} has an account already. Nothing was sent.` }
  }
}

async function listInvitations({ pool, clock }: AdminServices): Promise<Outcome> {
  const listed = []
  for (let page = 1, isLast = false; !isLast; page += 1) {
    const given = { filter: '', page, perPage: PER_PAGE, onlyInvited: true }
    const found = await listAccounts(pool, given)
    listed.push(...found.listed)
    isLast = found.listed.length < PER_PAGE
  }
  const now = clock.now()
  const open = listed.flatMap(({ account }) => {
    const ends = endOfInvitation(account)
    return ends === null || ends <= now
      ? []
      : [{ address: account.email ?? '', invited: toDate(account.invited_at), ends }]
  })
  const rows = open.map(({ address, invited, ends }) => [address, shown(invited), shown(ends)])
  return { json: open, text: tableOf(['address', 'invited', 'ends'], rows) }
}

async function withdraw(services: AdminServices, address: string): Promise<Result> {
  const { id } = await requireAccount(services, address)
  await withdrawInvitation(services, BY, id)
  return { result: 'withdrawn', text: `The invitation for ${address} is withdrawn.` }
}

async function resetPassword(given: Given): Promise<Outcome> {
  const { services, warn, args } = given
  const account = await requireAccount(services, args[0] ?? '')
  const address = account.email ?? ''
  warnAboutLinks(given)
  if (isBanned(account, services.clock.now()))
    warn(`${address} is blocked, and stays so with a new password: ${PROGRAM} unblock ${address}`)
  const { text, ...sent } = await sendLink(services, { type: 'recovery', action: 'reset-password', address })
  return { json: { address, ...sent }, text }
}

const LIFETIMES = { invite: 'seven days', recovery: 'one hour' }

/** Makes a link and emails it. Where that is not possible, the operator gets it, which is the only time that it is shown. */
async function sendLink(
  services: AdminServices,
  given: { type: 'invite' | 'recovery'; action: 'invite' | 'reset-password'; address: string },
): Promise<Result> {
  const { type, action, address: email } = given
  const { config } = services
  const { link } = await makeSignInLink(
    services,
    { action, by: BY },
    { type, email, passwordHash: '', userMetadata: {}, redirectTo: `${config.siteUrl}/reset-password` },
  )
  const handOver = (why: string) => ({
    result: 'link',
    link,
    text: `${why} Pass this link on to ${email}, in confidence. It works once, for ${LIFETIMES[type]}:\n${link}`,
  })
  if (config.smtpUrl === null) return handOver('No mail server is configured.')
  try {
    await sendMadeLink(services, { email, type, link })
    return { result: 'sent', text: `A link was sent to ${email}. It works once, for ${LIFETIMES[type]}.` }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? ` ${error.cause.message}` : ''
    return handOver(`The email could not be sent.${cause}`)
  }
}

async function turnTwoFactorOff({ services, ask, args: [given = ''] }: Given): Promise<Outcome> {
  const account = await requireAccount(services, given)
  const address = account.email ?? ''
  if (!hasSecondFactor(account))
    return { json: { address, result: 'was-off' }, text: `Two-factor sign-in is off for ${address} already.` }
  await confirm(
    ask,
    `Anybody who knows the password of ${address}, or reads its emails, can sign in then. Are you sure who has asked? Type yes: `,
    'yes',
  )
  const { isTold } = await removeTwoFactor(services, BY, account.id)
  const outbox = services.config.smtpUrl === null
  const notice = outbox
    ? `The email that tells them is in ${resolve(services.config.dataDir, 'outbox')}: please pass it on.`
    : 'They were told by email.'
  return {
    json: { address, result: 'removed', isTold: isTold && !outbox },
    text: `Two-factor sign-in is off for ${address}. ${isTold ? notice : 'They could not be told by email: please tell them.'}`,
  }
}

async function signOut({ services, args: [given = ''] }: Given): Promise<Outcome> {
  const { id, email: address } = await requireAccount(services, given)
  await signOutEverywhere(services, BY, id)
  return { json: { address, result: 'signed-out' }, text: `${address ?? ''} is signed out on all devices.` }
}

async function block({ services, args: [given = ''] }: Given, isBlocked: boolean): Promise<Outcome> {
  const { id, email: address } = await requireAccount(services, given)
  await setBlocked(services, BY, { id, isBlocked })
  const result = isBlocked ? 'blocked' : 'unblocked'
  return { json: { address, result }, text: `${address ?? ''} is ${result}.` }
}

async function remove({ services, ask, args: [given = ''] }: Given): Promise<Outcome> {
  const { id, email } = await requireAccount(services, given)
  const address = email ?? ''
  await confirm(
    ask,
    `This deletes ${address} with everything in it, for good. Type the address again: `,
    address,
  )
  await deleteAccount(services, BY, id)
  return { json: { address, result: 'deleted' }, text: `${address} is deleted.` }
}

async function key({ services, has }: Given): Promise<Outcome> {
  if (has('revoke')) {
    const wasThere = await revokeServiceKey(services, BY)
    return {
      json: { result: wasThere ? 'revoked' : 'none' },
      text: wasThere ? 'The service key no longer works.' : 'There is no service key.',
    }
  }
  const made = await makeServiceKey(services, BY)
  return { json: { key: made }, text: `The service key, which is shown only now:\n${made}` }
}

async function log({ services, page }: Given): Promise<Outcome> {
  const actions = await readActions(services.pool, { page, perPage: PER_PAGE })
  const rows = actions.map(({ time, action, by, accountId, address }) => [
    shown(time),
    action,
    by,
    address ?? (accountId === null ? '' : `${accountId} (deleted)`),
  ])
  return { json: actions, text: tableOf(['time', 'action', 'by', 'account'], rows) }
}

async function requireAccount({ pool }: AdminServices, given: string): Promise<Account> {
  const address = parseAddress(given)
  const account = await findAccountByEmail(pool, address)
  if (account === null) throw new CommandError(`There is no account for ${address}.`)
  return account
}

function parseAddress(given: string): string {
  try {
    return parseEmailAddress(given)
  } catch (cause) {
    throw new CommandError(`"${given}" is not an email address. Nothing was changed.`, { cause })
  }
}

/** Throws unless the answer is the expected one. */
async function confirm(ask: Ask, question: string, expected: string): Promise<void> {
  const answer = await ask(question)
  if (answer.trim() !== expected) throw new CommandError('Nothing was changed.')
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head.map((text) => text.toUpperCase()), ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  const lines = all.map((row) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '))
  return lines.map((line) => line.trimEnd()).join('\n')
}

function toDate(time: string | null): Date | null {
  return time === null ? null : new Date(time)
}

/** To the minute, in UTC. */
function shown(time: Date | null): string {
  return time === null ? '-' : time.toISOString().slice(0, 16).replace('T', ' ')
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no'
}

function helpFor(name: string, { usage, help }: Command): string {
  return `${PROGRAM} ${name} ${usage}\n    ${help}`
}

const HELP = `Accounts of this server, whether it is running or not.

${Object.entries(COMMANDS)
  .map(([name, command]) => helpFor(name, command))
  .join('\n')}

All take --json, for programs, and --help.`

interface Invocation {
  name: string
  command: Command
  args: readonly string[]
  values: Readonly<Record<string, unknown>>
}

/** Null if nothing but help is asked for. Throws if there is no such command, or it does not take what it is given. */
function parseInvocation(given: readonly string[]): Invocation | null {
  const [name = '', ...rest] = given
  if (name === '' || name === 'help' || name === '--help') return null
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) throw new CommandError(`There is no command "${name}".\n\n${HELP}`)
  try {
    const { values, positionals: args } = parseArgs({
      args: rest,
      allowPositionals: true,
      options: {
        help: { type: 'boolean' },
        json: { type: 'boolean' },
        ...Object.fromEntries(
          (command.options ?? []).map((option) => [
            option,
            { type: option === 'page' ? 'string' : 'boolean' },
          ]),
        ),
      },
    })
    const [least, most] = command.takes
    if (values['help'] !== true && (args.length < least || args.length > most)) throw new Error('Not so.')
    return { name, command, args, values }
  } catch {
    throw new CommandError(`This is how it is called:\n${helpFor(name, command)}`)
  }
}

function parsePage(given: unknown): number {
  if (given === undefined) return 1
  if (typeof given === 'string' && /^[1-9]\d{0,6}$/.test(given)) return Number(given)
  throw new CommandError('--page takes a number from 1 on.')
}

/** Where a command is run. */
export interface CommandLine {
  ask: Ask
  print: (text: string) => void
  /** Shows a warning, beside the output. */
  warn: (text: string) => void
  /** Calls `work` with the database. */
  withServices: <Value>(work: (services: AdminServices) => Promise<Value>) => Promise<Value>
}

/**
 * Runs what follows `npm run accounts --`: what whoever runs the server can do with accounts. Rejects with a `CommandError`, or with
 * the `ApiError` of what was refused.
 */
export async function runAccountCommand(
  given: readonly string[],
  { ask, print, warn, withServices }: CommandLine,
): Promise<{ isIncomplete: boolean }> {
  const invocation = parseInvocation(given)
  if (invocation === null || invocation.values['help'] === true) {
    print(invocation === null ? HELP : helpFor(invocation.name, invocation.command))
    return { isIncomplete: false }
  }
  const { command, args, values } = invocation
  const page = parsePage(values['page'])
  const has = (option: string) => values[option] === true
  const printText = has('json') ? () => {} : print
  const {
    json,
    text,
    isIncomplete = false,
  } = await withServices((services) =>
    command.run({ services, ask, print: printText, warn, args, page, has }),
  )
  if (has('json')) print(JSON.stringify(json))
  else if (text !== null) print(text)
  return { isIncomplete }
}
