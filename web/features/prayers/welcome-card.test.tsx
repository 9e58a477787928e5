import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { press } from '#web/test-rendering.tsx'
import { WelcomeCard } from './welcome-card.tsx'

const paths = () => screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
const onAddSeveral = vi.fn<() => void>()
const toFirstCategory = ['Create Your First Category', '/manage-categories']

it('leads a user without categories to the first one, with examples, or to a list', async () => {
  render(<WelcomeCard productName="Intercede" hiddenCount={0} onAddSeveral={onAddSeveral} />)
  expect(screen.getByRole('heading').textContent).toBe('Welcome to Intercede')
  expect(screen.getByText(/Family, Friends or Church/)).toBeDefined()
  expect(screen.queryByText(/hidden/)).toBeNull()
  expect(paths()).toEqual([toFirstCategory])
  await press('Add several')
  expect(onAddSeveral).toHaveBeenCalledTimes(1)
})

it.each([
  [1, 'One category is hidden. You can show it again under Manage Categories.'],
  [2, '2 categories are hidden. You can show them again under Manage Categories.'],
])('says that %i are hidden, with a link to them', (hiddenCount, text) => {
  render(<WelcomeCard productName="Intercede" hiddenCount={hiddenCount} onAddSeveral={onAddSeveral} />)
  expect(screen.getByText(/hidden/).textContent).toBe(text)
  expect(screen.queryByRole('button')).toBeNull()
  expect(paths()).toEqual([toFirstCategory, ['Manage Categories', '/manage-categories']])
})
