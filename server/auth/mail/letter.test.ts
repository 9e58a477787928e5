import { describe, expect, it } from 'vitest'
import { confirmationLetter } from './confirmation-letter.ts'
import { recoveryLetter } from './recovery-letter.ts'

const PRODUCT = 'Ruth & "Friends" <b>'
const ESCAPED_PRODUCT = 'Ruth &amp; &quot;Friends&quot; &lt;b&gt;'
const LINK = 'https://a.example/verify?a=1&b=2'

describe.each([
  ['recovery', recoveryLetter],
  ['confirmation', confirmationLetter],
])('the %s letter', (_name, letter) => {
  const mail = letter({ to: 'ruth@example.com', product: PRODUCT, link: LINK })

  it('says the same in text and in HTML', () => {
    expect(mail.to).toBe('ruth@example.com')
    expect(mail.subject).toContain(PRODUCT)
    expect(mail.text).toContain(`:\n${LINK}\n`)
    const words = mail.html
      .replaceAll('&amp;', '&')
      .replaceAll('&quot;', '"')
      .replace(/&(?:lt|gt);/g, bracket)
    const paragraphs = mail.text.split('\n\n').filter((text) => !text.includes('http'))
    expect(paragraphs.length).toBeGreaterThan(4)
    for (const paragraph of paragraphs) expect(words).toContain(paragraph.trim())
  })

  it('has one way to go: the link', () => {
    const addresses = Array.from(mail.html.matchAll(/href="([^"]*)"/g), ([, address]) => address)
    expect(new Set(addresses)).toEqual(new Set([LINK.replace('&', '&amp;')]))
  })

  it('takes a product name as words, never as markup', () => {
    expect(mail.html).not.toContain('<b>')
    expect(mail.html).toMatch(new RegExp(`<title>.*${ESCAPED_PRODUCT}.*</title>`))
  })

  it('is readable in both themes, and loads nothing', () => {
    expect(mail.html).toContain('<meta name="color-scheme" content="light dark">')
    expect(mail.html).toContain('@media (prefers-color-scheme: dark)')
    expect(mail.html).not.toMatch(/<(?:img|script|link|iframe)|url\(|@import|src=/)
  })
})

function bracket(entity: string): string {
  return entity === '&lt;' ? '<' : '>'
}
