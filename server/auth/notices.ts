import type { FastifyRequest } from 'fastify'
import type { Account } from './account.ts'
import type { AuthServices } from './auth-services.ts'
import type { LinkEmail } from './email-templates.ts'

const NOT_SENT = 'a notice could not be sent'

interface Notice {
  /** As it was before the change, if that was of its address. */
  account: Account
  template: LinkEmail
  /** Where the link of the email leads, in the app. */
  path: string
}

/** Tells the owner of an account by email what was changed. Resolves to whether that was possible; a failure is logged. */
export async function tellOwner(
  { mailer, config, logger }: Pick<AuthServices, 'mailer' | 'config' | 'logger'>,
  { account: { email }, template, path }: Notice,
): Promise<boolean> {
  if (email === null || email === '') return false
  try {
    await mailer.send(template({ to: email, product: config.productName, link: config.siteUrl + path }))
    return true
  } catch (err) {
    logger.error({ err }, NOT_SENT)
    return false
  }
}

/**
 * Tells the owner after the response, and counts that as an email of the request. Never rejects: the change is made, whether or not the email
 * can be sent.
 */
export async function sendNotice(
  request: FastifyRequest,
  services: AuthServices,
  notice: Notice,
): Promise<void> {
  const { account } = notice
  const email = account.email ?? ''
  if (email === '') return
  const logger = request.log
  try {
    const counted = await services.limits.countEmail(request, { type: 'notice', email, account })
    services.background.start(async () => {
      if (await tellOwner({ ...services, logger }, notice)) return
      await counted.refund().catch((err: unknown) => logger.error({ err }, NOT_SENT))
    })
  } catch (err) {
    logger.error({ err }, NOT_SENT)
  }
}
