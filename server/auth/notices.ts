import type { FastifyRequest } from 'fastify'
import type { Account } from './account.ts'
import type { AuthServices } from './auth-services.ts'
import type { LinkEmail } from './email-templates.ts'

interface Notice {
  /** As it was before the change, if that was of its address. */
  account: Account
  template: LinkEmail
  /** Where the link of the email leads, in the app. */
  path: string
}

/**
 * Tells the owner of an account by email what was changed, after the response. Never rejects: the change is made, whether or
 * not the email can be sent; a failure is logged.
 */
export async function sendNotice(
  request: FastifyRequest,
  { limits, mailer, config, background }: AuthServices,
  { account, template, path }: Notice,
): Promise<void> {
  const email = account.email ?? ''
  if (email === '') return
  const logFailure = (err: unknown) => request.log.error({ err }, 'a notice could not be sent')
  try {
    const counted = await limits.countEmail(request, { type: 'notice', email, account })
    const notice = template({ to: email, product: config.productName, link: config.siteUrl + path })
    background.start(() =>
      mailer.send(notice).catch(async (error: unknown) => {
        logFailure(error)
        await counted.refund().catch(logFailure)
      }),
    )
  } catch (error) {
    logFailure(error)
  }
}
