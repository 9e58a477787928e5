import { ACCOUNT, type Account, type Database } from './account.ts'

const BY_EMAIL = `select ${ACCOUNT} from auth.users u where u.email = $1 and not u.is_sso_user`
/** The two names of the X provider mean the same people. */
const BY_IDENTITY = `
  select ${ACCOUNT}, identity.id as identity_id
  from auth.identities identity join auth.users u on u.id = identity.user_id
  where identity.provider_id = $1 and identity.provider in ('twitter', 'x')
  order by identity.created_at limit 1`

/** The account of an address (in lower case, as it is stored), or null. */
export async function findAccountByEmail(database: Database, email: string): Promise<Account | null> {
  const { rows } = await database.query<{ account: Account }>({
    name: 'auth:account-by-email',
    text: BY_EMAIL,
    values: [email],
  })
  return rows[0]?.account ?? null
}

/** The account that a person of X signed in to before, with the identity that says so, or null. */
export async function findAccountByIdentity(
  database: Database,
  providerId: string,
): Promise<{ account: Account; identityId: string } | null> {
  const { rows } = await database.query<{ account: Account; identity_id: string }>({
    name: 'auth:account-by-identity',
    text: BY_IDENTITY,
    values: [providerId],
  })
  const found = rows[0]
  return found === undefined ? null : { account: found.account, identityId: found.identity_id }
}
