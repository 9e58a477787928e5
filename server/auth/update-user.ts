import type { FastifyInstance } from 'fastify'
import { ApiError } from '../errors/api-error.ts'
import type { Account } from './accounts/account.ts'
import { readEmailAddress } from './accounts/email-address.ts'
import { findAccountByEmail } from './accounts/find-account.ts'
import { readOwnData } from './accounts/own-data.ts'
import { changeAccount, type AccountChange } from './accounts/change-account.ts'
import { renderUser } from './accounts/user-json.ts'
import type { AuthServices } from './auth-services.ts'
import { requireBearer } from './bearer.ts'
import { checkNewPassword } from './passwords/password-rules.ts'
import { readFields, readObject, readText, type Fields } from './request-body.ts'

/** PUT /user: a new password, and the person's own data. supabase/auth internal/api/user.go UserUpdate. */
export function registerUpdateUser(app: FastifyInstance, services: AuthServices): void {
  app.put('/user', async (request) => {
    await services.limits.countRequest(request, 'user')
    const { account, sessionId } = await requireBearer(request, services)
    const fields = readFields(request)
    const password = readNewPassword(fields)
    const data = readOwnData(fields, account.raw_user_meta_data ?? {})
    await checkAddress(services, account, fields)
    const change: AccountChange = {
      accountId: account.id,
      sessionId,
      passwordHash: password === null ? null : await hashNewPassword(services, account, password),
      data,
    }
    const changed = await changeAccount(services, change)
    if (changed === null) {
      throw new ApiError(403, 'user_not_found', 'User from sub claim in JWT does not exist')
    }
    return renderUser(changed)
  })
}

function readNewPassword(fields: Fields): string | null {
  if (readObject(fields, 'app_metadata') !== null) {
    throw new ApiError(403, 'not_admin', 'Updating app_metadata requires admin privileges')
  }
  if (fields['password'] === undefined || fields['password'] === null) return null
  const password = readText(fields, 'password')
  checkNewPassword(password)
  return password
}

/** The product never changes an address; a client that tries is told so instead of being ignored. */
async function checkAddress({ pool }: AuthServices, account: Account, fields: Fields): Promise<void> {
  if (readText(fields, 'phone') !== '') {
    throw new ApiError(400, 'phone_provider_disabled', 'Phone numbers are not supported')
  }
  const given = readText(fields, 'email')
  if (given === '') return
  const email = readEmailAddress(given)
  if (email === account.email) return
  if ((await findAccountByEmail(pool, email)) !== null) {
    throw new ApiError(422, 'email_exists', 'A user with this email address has already been registered')
  }
  throw new ApiError(400, 'validation_failed', 'Changing the email address is not supported')
}

async function hashNewPassword(
  { passwords }: AuthServices,
  account: Account,
  password: string,
): Promise<string> {
  const current = account.encrypted_password
  if (current !== null && current !== '' && (await passwords.matches(password, current))) {
    const message = 'New password should be different from the old password.'
    throw new ApiError(422, 'same_password', message)
  }
  return passwords.hash(password)
}
