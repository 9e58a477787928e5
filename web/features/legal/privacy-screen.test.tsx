import { render, screen, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { PrivacyScreen } from './privacy-screen.tsx'

const COLLECTED = 'Information we collect'
const THIRD_PARTY = 'Third-party authentication'

beforeEach(() => void render(<PrivacyScreen productName="Vesper" />))

const texts = (level: number) => screen.getAllByRole('heading', { level }).map((each) => each.textContent)
const topic = (name: string) => screen.getByRole('region', { name })
const link = (name: string) => screen.getByRole('link', { name })

it('has one main heading and the eight specified topics', () => {
  expect(texts(1)).toEqual(['Privacy Policy'])
  expect(texts(2)).toEqual([
    COLLECTED,
    'How we use it',
    'Sharing',
    'Security',
    'Your rights',
    THIRD_PARTY,
    'Changes to this policy',
    'Contact',
  ])
})

it.each([
  [COLLECTED, 'your e-mail address'],
  [COLLECTED, 'The hash is Argon2id'],
  [COLLECTED, 'If the address is never confirmed, the account is deleted after 30 days'],
  [COLLECTED, 'refresh tokens'],
  [COLLECTED, 'name and network address'],
  [COLLECTED, 'your picture and its address'],
  [COLLECTED, 'your note'],
  [COLLECTED, 'PostgreSQL'],
  [COLLECTED, 'session in local storage'],
  [COLLECTED, 'that somebody has signed in with this browser before, but not who'],
  [COLLECTED, 'no cookies'],
  [COLLECTED, 'no analytics'],
  ['Security', 'Prayers are not end-to-end encrypted'],
  ['Security', 'administers the server or its database could technically read them'],
  ['Security', 'When the address of this site begins with https'],
  [THIRD_PARTY, 'sign in with X (formerly Twitter)'],
  [THIRD_PARTY, 'If you never use X, nothing is sent to it.'],
  ['Contact', 'the operator of this installation'],
])('says under “%s”: %s', (name, fact) => {
  expect(topic(name).textContent.replaceAll(/\s+/g, ' ')).toContain(fact)
})

it('uses the product name of the installation', () => {
  expect(document.body.textContent).toContain('Vesper is software that anyone can run')
  expect(document.body.textContent).not.toContain('Intercede')
})

it("links to the terms, to an existing section of the page, and to X's own policy without a referrer", () => {
  expect(link('Terms of Service').getAttribute('href')).toBe('/terms')
  const target = within(topic('Sharing')).getByRole('link', { name: THIRD_PARTY }).getAttribute('href')
  expect(document.querySelector(target ?? '')).toBe(topic(THIRD_PARTY))
  const policy = link('X’s own privacy policy')
  expect(policy.getAttribute('href')).toBe('https://x.com/privacy')
  expect(policy.getAttribute('rel')).toBe('noreferrer')
})
