import { act, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { showAppearance } from '#web/lib/appearance/show-appearance.ts'
import { startPath } from '#web/lib/navigation/navigation-state.ts'
import { AnnouncementProvider } from '#web/ui/announcements.tsx'
import { AppearanceSections } from './appearance-sections.tsx'

const { documentElement: page, head } = document

beforeEach(() => {
  head.innerHTML = '<meta name="theme-color" data-theme="light"><meta name="theme-color" data-theme="dark">'
  showAppearance()
  render(<AppearanceSections />, { wrapper: AnnouncementProvider })
})

afterEach(() => {
  localStorage.clear()
  head.innerHTML = ''
  showAppearance()
})

const inSection = (name: string) => screen.getByRole('group', { name })
const chosenIn = (name: string) =>
  within(inSection(name))
    .getAllByRole('radio', { checked: true })
    .map((radio) => radio.closest('label')?.textContent)
const choose = (name: string) => act(() => screen.getByRole('radio', { name }).click())
const barColours = () =>
  [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')].map(({ media }) => media)

const OF_SYSTEM = ['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)']

describe('the theme', () => {
  it('is that of the system until one is chosen, and again after “System”', () => {
    expect(chosenIn('Theme')).toEqual(['System'])
    expect(barColours()).toEqual(OF_SYSTEM)
    choose('Dark')
    expect(chosenIn('Theme')).toEqual(['Dark'])
    expect(page.dataset['theme']).toBe('dark')
    expect(barColours()).toEqual(['not all', 'all'])
    expect(screen.getByRole('status').textContent).toContain('Theme: Dark')
    choose('System')
    expect(page.dataset['theme']).toBe('')
    expect(barColours()).toEqual(OF_SYSTEM)
  })
})

it('the text size is shown at once', () => {
  expect(chosenIn('Text size')).toEqual(['Normal'])
  choose('Larger')
  expect(chosenIn('Text size')).toEqual(['Larger'])
  expect(page.dataset['textSize']).toBe('larger')
  choose('Normal')
  expect(page.dataset['textSize']).toBe('')
})

it('the app opens with the prayers, or with Today', () => {
  expect(startPath()).toBe('/dashboard')
  choose('Today')
  expect(startPath()).toBe('/pray')
  choose('Prayers')
  expect(startPath()).toBe('/dashboard')
})

it.each(['not JSON', '{}', '"sepia"'])('what is stored as %s counts as nothing', (stored) => {
  localStorage.setItem('intercede-theme', stored)
  localStorage.setItem('intercede-text-size', stored)
  showAppearance()
  expect(barColours()).toEqual(OF_SYSTEM)
})
