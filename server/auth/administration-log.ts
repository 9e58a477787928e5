import { withTransaction } from '../db/transaction.ts'
import { ApiError } from '../errors/api-error.ts'
import { lockAccount, type Account, type Queryable } from './account.ts'
import type { AuthServices } from './auth-services.ts'

/** What administering accounts needs; some of it only where emails are sent. */
export type AdminServices = Pick<AuthServices, 'pool' | 'clock' | 'config' | 'mailer' | 'logger'>

/** By what whoever runs the server acts: `npm run accounts`, or a program that has the service key. */
export type Actor = 'command' | 'service key'

type Action =
  | 'create'
  | 'invite'
  | 'withdraw'
  | 'make-link'
  | 'reset-password'
  | 'change'
  | 'block'
  | 'unblock'
  | 'sign-out'
  | 'remove-two-factor'
  | 'delete'
  | 'make-key'
  | 'revoke-key'

export interface Recorded {
  action: Action
  by: Actor
}

const RECORD = `
  insert into intercede.account_actions (happened_at, action, account_id, done_by) values ($1, $2, $3, $4)`

export async function record(
  transaction: Queryable,
  { clock }: Pick<AdminServices, 'clock'>,
  { action, by, accountId }: Recorded & { accountId: string | null },
): Promise<void> {
  const values = [clock.now(), action, accountId, by]
  await transaction.query({ name: 'auth:record-action', text: RECORD, values })
}

/**
 * Runs a change of an account in a transaction, under the lock that all such changes take, and records it. Asks nobody whether it is
 * allowed: the caller has. Throws `user_not_found` if there is no such account.
 */
export async function administer<Value>(
  services: Pick<AdminServices, 'pool' | 'clock'>,
  { id, ...recorded }: Recorded & { id: string },
  work: (transaction: Queryable, account: Account) => Promise<Value>,
): Promise<Value> {
  return withTransaction(services.pool, async (transaction) => {
    const account = await lockAccount(transaction, id)
    if (account === null) throw userNotFound()
    const value = await work(transaction, account)
    await record(transaction, services, { ...recorded, accountId: id })
    return value
  })
}

export function userNotFound(): ApiError {
  return new ApiError(404, 'user_not_found', 'User not found')
}

/** Something that was done. */
export interface RecordedAction {
  time: Date
  action: string
  /** Null for what concerns no account. */
  accountId: string | null
  /** Null if the account was deleted since. */
  address: string | null
  by: string
}

const READ_ACTIONS = `
  select a.happened_at as time, a.action, a.account_id as "accountId", u.email as address, a.done_by as by
  from intercede.account_actions a left join auth.users u on u.id = a.account_id
  order by a.id desc limit $1 offset $2`

/** A page of what was done, the newest first. */
export async function readActions(
  database: Queryable,
  { page, perPage }: { page: number; perPage: number },
): Promise<RecordedAction[]> {
  const { rows } = await database.query<RecordedAction>({
    name: 'auth:read-actions',
    text: READ_ACTIONS,
    values: [perPage, (page - 1) * perPage],
  })
  return rows
}
