import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../errors/api-error.ts'
import type { Metadata } from './accounts/account.ts'
import { readEmailAddress } from './accounts/email-address.ts'
import { readOwnData } from './accounts/own-data.ts'
import type { AuthServices } from './auth-services.ts'
import { checkNewPassword } from './passwords/password-rules.ts'
import { readFields, readText } from './request-body.ts'
import { announceSession, renderSession } from './sessions/session-json.ts'
import { signUpAtOnce } from './sign-up-at-once.ts'
import { signUpByMail } from './sign-up-by-mail.ts'

/** A sign-up in which nothing is wrong by itself. */
export interface SignUp {
  /** In lower case. */
  email: string
  password: string
  data: Metadata
}

/**
 * POST /signup: a session, or, where addresses are confirmed by mail, the account alone.
 * supabase/auth internal/api/signup.go.
 */
export function registerSignUp(app: FastifyInstance, services: AuthServices): void {
  app.post('/signup', async (request, reply) => {
    const given = await readSignUp(request, services)
    if (services.config.confirmEmail) return signUpByMail(request, services, given)
    const session = await signUpAtOnce(request, services, given)
    announceSession(reply, session)
    return renderSession(session)
  })
}

/** All that can be said of a sign-up without looking at accounts, in the order of the real service. */
async function readSignUp(request: FastifyRequest, { config, limits }: AuthServices): Promise<SignUp> {
  const fields = readFields(request)
  const email = readText(fields, 'email')
  const phone = readText(fields, 'phone')
  const password = readText(fields, 'password')
  if (email === '' && phone === '') {
    throw new ApiError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
  }
  await limits.countRequest(request, 'signup')
  if (config.disableSignup) {
    throw new ApiError(422, 'signup_disabled', 'Signups not allowed for this instance')
  }
  if (password === '') throw new ApiError(400, 'validation_failed', 'Signup requires a valid password')
  checkNewPassword(password)
  checkProvider(email, phone)
  return { email: readEmailAddress(email), password, data: readOwnData(fields) }
}

function checkProvider(email: string, phone: string): void {
  if (phone === '') return
  if (email === '') throw new ApiError(400, 'phone_provider_disabled', 'Phone signups are disabled')
  const message = 'Only an email address or phone number should be provided on signup.'
  throw new ApiError(400, 'validation_failed', message)
}
