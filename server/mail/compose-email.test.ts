import { expect, it } from 'vitest'
import { composeEmail } from './compose-email.ts'

const PRODUCT = 'Ruth & "Friends"'
const LINK = 'https://a.example/pray'

it('a further link is in both versions, readable in light and dark mode', () => {
  const page = 'https://a.example/off#a&b'
  const email = composeEmail('ruth@example.com', {
    product: PRODUCT,
    subject: 'Subject',
    heading: 'Heading',
    before: [],
    action: 'Pray now',
    link: LINK,
    after: ['After.'],
    secondary: { action: 'Turn "it" off', link: page },
  })
  expect(email.text).toBe(
    `Heading\n\nPray now:\n${LINK}\n\nAfter.\n\nTurn "it" off:\n${page}\n\n${PRODUCT}\n`,
  )
  expect(email.html).toMatch(
    /<a class="soft" href="https:\/\/a\.example\/off#a&amp;b" style="color: #\w{6}">Turn &quot;it&quot; off<\/a>/,
  )
})
