import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { WelcomeCard } from './welcome-card.tsx'

const paths = () => screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
const toFirstCategory = ['Create Your First Category', '/manage-categories']

it('leads a user without categories to the first one, with examples', () => {
  render(<WelcomeCard productName="Intercede" hiddenCount={0} />)
  expect(screen.getByRole('heading').textContent).toBe('Welcome to Intercede')
  expect(screen.getByText(/Family, Friends or Church/)).toBeDefined()
  expect(screen.queryByText(/hidden/)).toBeNull()
  expect(paths()).toEqual([toFirstCategory])
})

it.each([
  [1, 'One category is hidden. You can show it again under Manage Categories.'],
  [2, '2 categories are hidden. You can show them again under Manage Categories.'],
])('says that %i are hidden, with a link to them', (hiddenCount, text) => {
  render(<WelcomeCard productName="Intercede" hiddenCount={hiddenCount} />)
  expect(screen.getByText(/hidden/).textContent).toBe(text)
  expect(paths()).toEqual([toFirstCategory, ['Manage Categories', '/manage-categories']])
})
