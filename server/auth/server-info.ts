import type { FastifyInstance } from 'fastify'
import type { AuthServices } from './auth-services.ts'

/** The release of GoTrue whose protocol this server speaks. */
const VERSION = 'v2.196.0'

/** Providers that GoTrue's response lists (internal/api/settings.go) and this server does not have. */
const ABSENT_PROVIDERS = [
  'anonymous_users',
  'apple',
  'azure',
  'bitbucket',
  'discord',
  'facebook',
  'snapchat',
  'figma',
  'fly',
  'github',
  'gitlab',
  'google',
  'keycloak',
  'kakao',
  'linkedin',
  'linkedin_oidc',
  'notion',
  'spotify',
  'slack',
  'slack_oidc',
  'workos',
  'twitch',
]

/** GET /health, GET /settings and GET /.well-known/jwks.json: what clients can learn about this server. */
export function registerServerInfo(app: FastifyInstance, { config, keys }: AuthServices): void {
  // supabase/auth internal/api/api.go HealthCheck.
  app.get('/health', async () => ({
    version: VERSION,
    name: 'GoTrue',
    description: 'GoTrue is a user registration and authentication API',
  }))

  const absent = Object.fromEntries(ABSENT_PROVIDERS.map((provider) => [provider, false]))
  // There is no `x` entry, as there is none in GoTrue's response.
  app.get('/settings', async () => ({
    external: { ...absent, twitter: config.x !== null, email: true, phone: false, zoom: false },
    disable_signup: config.disableSignup,
    mailer_autoconfirm: !config.confirmEmail,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
    saml_private_key_next_configured: false,
    passkeys_enabled: false,
    // Ours: clients learn by it that this server sends reminders, which a Supabase project does not.
    reminders: { push_key: keys.vapid.publicKey, email: config.smtpUrl !== null },
  }))

  // Tokens are signed with a shared secret, which is never listed (supabase/auth internal/api/jwks.go).
  app.get('/.well-known/jwks.json', async (_request, reply) => {
    void reply.header('cache-control', 'public, max-age=600')
    return { keys: [] }
  })
}
