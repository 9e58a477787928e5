import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { render, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { sessionWith, storeSession } from '#web/lib/session/sample-session.test-data.ts'
import { endStoredSession } from '#web/lib/session/stored-session.ts'
import { GuestLayout, StartingScreen } from './layouts.tsx'
import { NotFoundScreen } from './not-found-screen.tsx'

it('is the same before and after the app has started', () => {
  const { container } = render(<StartingScreen />)
  const page = readFileSync(resolve(import.meta.dirname, '../index.html'), 'utf8')
  const root = new DOMParser().parseFromString(page, 'text/html').getElementById('root')
  expect(root?.childElementCount).toBe(2)
  expect(Array.from(root?.children ?? [], describeElement)).toEqual(
    Array.from(container.children, describeElement),
  )
})

it('leads home where there is no screen', () => {
  render(<NotFoundScreen />)
  expect(screen.getByRole('link', { name: 'Return Home' }).getAttribute('href')).toBe('/')
})

it('tells guests what the product is, under its name', () => {
  render(<GuestLayout>Create account</GuestLayout>)
  const name = within(screen.getByRole('banner')).getByRole('link', { name: 'Intercede' })
  expect(name.nextElementSibling?.textContent).toBe('A calm, private place to keep the people you pray for.')
})

it('says on a first visit what the product does, and no more once somebody has signed in', () => {
  const { unmount } = render(<GuestLayout>Welcome back</GuestLayout>)
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Today shows whom to pray for.',
    'Answered remembers what God has done.',
    'Private, and works offline.',
  ])
  unmount()
  storeSession(sessionWith('a', 3600))
  endStoredSession('signed-out')
  render(<GuestLayout>Welcome back</GuestLayout>)
  expect(screen.queryByRole('listitem')).toBeNull()
})

/** The elements with their attributes and texts, without the white space and the order of attributes in the source. */
function describeElement(element: Element): string {
  const attributes = Array.from(element.attributes, ({ name, value }) => `${name}="${value}"`).toSorted()
  const text = element.childElementCount === 0 ? element.textContent : ''
  const children = [...element.children].map((child) => describeElement(child).replaceAll(/^/gm, '  '))
  return [[element.localName, ...attributes, text].join(' '), ...children].join('\n')
}
