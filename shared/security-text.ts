const DAY = 24 * 60 * 60 * 1000
/** RFC 9116 asks for less than a year. */
const GOOD_FOR = 180 * DAY

export interface SecurityContact {
  /** Where weaknesses are reported: an address that begins with mailto:, https: or tel:. */
  contact: string
  /** Origin of the site, without a trailing slash. */
  siteUrl: string
}

/**
 * The contact as it is configured, made an address; null for what is none. A bare e-mail address will do.
 */
export function readSecurityContact(text: string): string | null {
  if (/^[^\s<>@:/?#]+@[^\s<>@:/?#]+$/.test(text)) return `mailto:${text}`
  if (!/^(?:mailto|https|tel):[!-~]+$/.test(text) || !URL.canParse(text)) return null
  return text
}

/** The text of /.well-known/security.txt (RFC 9116), true from `now` on for half a year. */
export function securityText({ contact, siteUrl }: SecurityContact, now: Date): string {
  const expires = new Date(now.getTime() + GOOD_FOR)
  // To the day, so that everybody who asks on one day is told the same.
  expires.setUTCHours(0, 0, 0, 0)
  const fields = [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString().replace('.000', '')}`,
    `Canonical: ${siteUrl}/.well-known/security.txt`,
  ]
  return `${fields.join('\n')}\n`
}
