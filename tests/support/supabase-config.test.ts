import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { LINK_LIFETIME } from '#server/auth/one-time-links.ts'
import { ALL_EMAILS, ENDPOINTS, EMAILS_TO_ADDRESS_FROM_NETWORK } from '#server/auth/rate-limits.ts'
import { REUSE_INTERVAL } from '#server/auth/rotate-refresh-token.ts'
import { readConfig } from '#server/config.ts'
import { PAGE_SIZE, PASSWORD_MIN_LENGTH } from '#shared/limits.ts'

const TEXT = readFileSync(new URL('../../supabase/config.toml', import.meta.url), 'utf8')
const SETTINGS = parse(TEXT)
const FROM_ENVIRONMENT = /^env\([A-Z_]+\)$/

describe('supabase/config.toml', () => {
  it('configures a Supabase project like our own server', () => {
    const ours = readConfig({ SMTP_URL: 'smtp://mail.example.org' })
    expect(SETTINGS).toMatchObject({
      api: { schemas: ['public'], max_rows: PAGE_SIZE },
      auth: {
        jwt_expiry: ours.jwtExpiry,
        enable_refresh_token_rotation: true,
        refresh_token_reuse_interval: REUSE_INTERVAL,
        enable_signup: !ours.disableSignup,
        enable_anonymous_sign_ins: false,
        minimum_password_length: PASSWORD_MIN_LENGTH,
        email: {
          enable_confirmations: ours.confirmEmail,
          double_confirm_changes: ours.secureEmailChange,
          secure_password_change: false,
          max_frequency: `${String(EMAILS_TO_ADDRESS_FROM_NETWORK.period)}s`,
          otp_expiry: LINK_LIFETIME,
          notification: { password_changed: { enabled: true }, email_changed: { enabled: true } },
          smtp: { sender_name: ours.productName },
        },
        rate_limit: {
          email_sent: ALL_EMAILS.recovery.refill,
          sign_in_sign_ups: ENDPOINTS.signup.refill,
          token_verifications: ENDPOINTS.verify.refill,
        },
      },
    })
  })

  it('leaves addresses and secrets to the environment', () => {
    const fromEnvironment = expect.stringMatching(FROM_ENVIRONMENT)
    expect(SETTINGS).toMatchObject({
      auth: {
        site_url: fromEnvironment,
        email: {
          smtp: {
            host: fromEnvironment,
            user: fromEnvironment,
            pass: fromEnvironment,
            admin_email: fromEnvironment,
          },
        },
        external: { x: { client_id: fromEnvironment, secret: fromEnvironment } },
      },
    })
  })

  it('allows redirects to the site and to this machine only', () => {
    expect(SETTINGS).toMatchObject({ auth: { additional_redirect_urls: ['http://localhost:3000/**'] } })
  })
})
