import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  addressChangedEmail,
  addressInUseEmail,
  confirmationEmail,
  existingAccountEmail,
  invitationEmail,
  newAddressEmail,
  passwordChangedEmail,
  presentAddressEmail,
  reauthenticationEmail,
  recoveryEmail,
} from './email-templates.ts'

const PRODUCT = 'Ruth & "Friends" <b>'
const ESCAPED_PRODUCT = 'Ruth &amp; &quot;Friends&quot; &lt;b&gt;'
const LINK = 'https://a.example/verify?a=1&b=2'

describe.each([
  ['recovery', recoveryEmail],
  ['confirmation', confirmationEmail],
  ['invitation', invitationEmail],
  ['existing account', existingAccountEmail],
  ['new address', newAddressEmail],
  ['address in use', addressInUseEmail],
  ['changed address', addressChangedEmail],
  ['changed password', passwordChangedEmail],
  [
    'present address',
    (given: { to: string; product: string; link: string }) =>
      presentAddressEmail({ ...given, newAddress: '"b&b"@example.com' }),
  ],
])('the %s email', (_name, compose) => {
  const email = compose({ to: 'ruth@example.com', product: PRODUCT, link: LINK })

  it('has the same content as plain text and as HTML', () => {
    expect(email.to).toBe('ruth@example.com')
    expect(email.subject).toContain(PRODUCT)
    expect(email.text).toContain(`:\n${LINK}\n`)
    const html = email.html
      .replaceAll('&amp;', '&')
      .replaceAll('&quot;', '"')
      .replace(/&(?:lt|gt);/g, bracket)
    const paragraphs = email.text.split('\n\n').filter((text) => !text.includes('http'))
    expect(paragraphs.length).toBeGreaterThan(4)
    for (const paragraph of paragraphs) expect(html).toContain(paragraph.trim())
  })

  it('contains no other link, except to a new password', () => {
    const addresses = Array.from(email.html.matchAll(/href="([^"]*)"/g), ([, address]) => address)
    const link = LINK.replace('&', '&amp;')
    expect(new Set(addresses.filter((address) => address !== `${link}?mode=reset`))).toEqual(new Set([link]))
  })

  it('escapes the product name', () => {
    expect(email.html).not.toContain('<b>')
    expect(email.html).toMatch(new RegExp(`<title>.*${ESCAPED_PRODUCT}.*</title>`))
  })

  it("uses the app's colours, blue for the button, and nothing wider than a phone", () => {
    const tokens = readFileSync(new URL('../../web/ui/tokens.css', import.meta.url), 'utf8')
    const colours = email.html.match(/#[\da-f]{6}/g) ?? []
    expect(colours.filter((colour) => !tokens.includes(colour))).toEqual([])
    const blue = /--color-accent-fill: (#\w+)/.exec(tokens)?.[1]
    expect(email.html).toMatch(new RegExp(`class="button"[^>]*background: ${String(blue)}`))
    expect(email.html).toMatch(/class="card"[^>]*overflow-wrap: anywhere/)
  })

  it('is readable in light and dark mode, and loads nothing', () => {
    expect(email.html).toContain('<meta name="color-scheme" content="light dark">')
    expect(email.html).toContain('@media (prefers-color-scheme: dark)')
    expect(email.html).not.toMatch(/<(?:img|script|link|iframe)|url\(|@import|src=/)
  })
})

it('the link to a new password can be followed in the email about an existing account', () => {
  const { html, text } = existingAccountEmail({
    to: 'ruth@example.com',
    product: PRODUCT,
    link: 'https://a.example/',
  })
  expect(html).toContain('href="https://a.example/?mode=reset"')
  expect(text).toContain('\nhttps://a.example/?mode=reset\n')
})

it('the email with a code has the code and no link', () => {
  const email = reauthenticationEmail({ to: 'ruth@example.com', product: PRODUCT, code: '012345' })
  expect(email.text).toContain('\n\n012345\n\n')
  expect(email.html).toContain('>012345<')
  expect(email.text + email.html).not.toMatch(/https?:|<a /)
})

function bracket(entity: string): string {
  return entity === '&lt;' ? '<' : '>'
}
