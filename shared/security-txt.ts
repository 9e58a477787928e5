const ONE_DAY = 24 * 60 * 60 * 1000
/** RFC 9116 recommends less than a year. */
const LIFETIME = 180 * ONE_DAY

export interface SecurityContact {
  /** Where to report vulnerabilities: a URI that begins with mailto:, https: or tel:. */
  contact: string
  /** Origin of the site, without a trailing slash. */
  siteUrl: string
}

/** Returns a configured contact as a URI, null for an invalid one. Accepts a plain email address as well. */
export function parseSecurityContact(text: string): string | null {
  if (/^[^\s<>@:/?#]+@[^\s<>@:/?#]+$/.test(text)) return `mailto:${text}`
  if (!/^(?:mailto|https|tel):[!-~]+$/.test(text) || !URL.canParse(text)) return null
  return text
}

/** Returns the content of /.well-known/security.txt (RFC 9116), which expires half a year after `now`. */
export function createSecurityTxt({ contact, siteUrl }: SecurityContact, now: Date): string {
  const expires = new Date(now.getTime() + LIFETIME)
  // Rounded to the day, so that the content stays the same for a day.
  expires.setUTCHours(0, 0, 0, 0)
  const fields = [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString().replace('.000', '')}`,
    `Canonical: ${siteUrl}/.well-known/security.txt`,
  ]
  return `${fields.join('\n')}\n`
}
