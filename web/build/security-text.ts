import type { Plugin } from 'vite'
import { createSecurityTxt, parseSecurityContact } from '#shared/security-txt.ts'

/**
 * Adds /.well-known/security.txt to a static build (VITE_SECURITY_CONTACT and VITE_SITE_URL). Our own server creates the
 * file itself. It expires half a year after the build: an expiry date is mandatory.
 */
export function emitSecurityText(): Plugin {
  let source: string | null = null
  return {
    name: 'security-text',
    apply: 'build',
    configResolved: ({ env }) => {
      source = securityTextOf(env, new Date())
    },
    generateBundle() {
      if (source !== null) this.emitFile({ type: 'asset', fileName: '.well-known/security.txt', source })
    },
  }
}

/** Content of the file; null without a contact. Throws an error that names an invalid variable. */
export function securityTextOf(
  variables: Readonly<Record<string, string | undefined>>,
  now: Date,
): string | null {
  const given = variables['VITE_SECURITY_CONTACT'] ?? ''
  if (given === '') return null
  const contact = parseSecurityContact(given)
  if (contact === null) {
    throw new Error(
      `VITE_SECURITY_CONTACT is "${given}", but must be an e-mail address, or begin with https: or tel:.`,
    )
  }
  const siteUrl = variables['VITE_SITE_URL'] ?? ''
  if (siteUrl === '')
    throw new Error('VITE_SECURITY_CONTACT is set without VITE_SITE_URL: set both, or neither.')
  return createSecurityTxt({ contact, siteUrl: new URL(siteUrl).origin }, now)
}
