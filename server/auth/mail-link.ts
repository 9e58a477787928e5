import { ApiError } from '../errors/api-error.ts'
import { ACCOUNT, type Account } from './accounts/account.ts'
import type { AuthServices } from './auth-services.ts'
import { externalUrl } from './external-url.ts'
import { createOneTimeToken, storeOneTimeToken, type LinkType } from './links/one-time-token.ts'
import { confirmationLetter } from './mail/confirmation-letter.ts'
import type { LinkLetter } from './mail/link-letter.ts'
import { recoveryLetter } from './mail/recovery-letter.ts'

const MARK_CONFIRMATION = `
  with account as (
    update auth.users set confirmation_sent_at = $2, updated_at = $2 where id = $1 returning *
  )
  select ${ACCOUNT} from account u`
const MARK_RECOVERY = `
  with account as (
    update auth.users set recovery_sent_at = $2, updated_at = $2 where id = $1 returning *
  )
  select ${ACCOUNT} from account u`

const KINDS: Record<LinkType, { letter: LinkLetter; mark: string; failure: string }> = {
  signup: {
    letter: confirmationLetter,
    mark: MARK_CONFIRMATION,
    failure: 'Error sending confirmation email',
  },
  recovery: { letter: recoveryLetter, mark: MARK_RECOVERY, failure: 'Error sending recovery email' },
}

/**
 * Sends a person a link that works once. It is stored before it is sent: a mail server that took the mail and never
 * said so leaves a link that works.
 * Resolves to the account as it is then. Rejects with 429 when too many mails were sent, with 500 when this one could
 * not be; the person may then try again at once.
 */
export async function mailLink(
  services: AuthServices,
  given: { account: Account; email: string; type: LinkType; redirectTo: string },
): Promise<Account> {
  const { pool, clock, config, limits, mailer } = services
  const { account, email, type } = given
  const { letter, mark } = KINDS[type]
  const now = clock.now()
  await limits.countMail()
  const { token, stored } = createOneTimeToken(email)
  await storeOneTimeToken(pool, { accountId: account.id, email, type, stored, now })
  const link = `${externalUrl(config)}/verify?token=${token}&type=${type}&redirect_to=${encodeURIComponent(given.redirectTo)}`
  await unlessMailFails(services, type, email, async () =>
    mailer.send(letter({ to: email, product: config.productName, link })),
  )
  const marked = await pool.query<{ account: Account }>({
    name: `auth:mark-${type}`,
    text: mark,
    values: [account.id, now],
  })
  return marked.rows[0]?.account ?? account
}

/**
 * What is done for an address that gets no mail: the same checks and, with a mail server, about the same time, so that
 * neither answer nor delay tells whether there is an account.
 */
export async function pretendToMail(services: AuthServices, type: LinkType, email: string): Promise<void> {
  await services.limits.checkMail()
  await unlessMailFails(services, type, email, async () => services.mailer.probe())
}

async function unlessMailFails(
  { limits }: AuthServices,
  type: LinkType,
  email: string,
  send: () => Promise<void>,
): Promise<void> {
  try {
    await send()
  } catch (cause) {
    await limits.forgiveMailTo(type, email)
    throw new ApiError(500, 'unexpected_failure', KINDS[type].failure, { cause })
  }
}
