import type { FastifyInstance } from 'fastify'
import type { AuthServices } from './auth-services.ts'

/** The providers that GoTrue names in its answer (internal/api/settings.go) and this server does not have. */
const ABSENT_BEFORE_TWITTER = [
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

/** GET /settings: what this installation offers. There is no `x` entry, as there is none in the real service. */
export function registerSettings(app: FastifyInstance, { config }: AuthServices): void {
  const absent = Object.fromEntries(ABSENT_BEFORE_TWITTER.map((provider) => [provider, false]))
  app.get('/settings', async () => ({
    external: { ...absent, twitter: config.x !== null, email: true, phone: false, zoom: false },
    disable_signup: config.disableSignup,
    mailer_autoconfirm: !config.confirmEmail,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
    saml_private_key_next_configured: false,
    passkeys_enabled: false,
  }))
}
