import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Avatar } from './navigation-bar.tsx'

const picture = () => document.querySelector('img')

it('shows the picture of the user, or their first letter in upper case if it does not load', () => {
  render(<Avatar name="ruth" url="https://pictures.example/ruth.png" />)
  expect(picture()?.src).toBe('https://pictures.example/ruth.png')
  expect(screen.queryByText('R')).toBeNull()
  fireEvent.error(picture() ?? document.body)
  expect(picture()).toBeNull()
  expect(screen.getByText('R')).toBeDefined()
})

it('shows the first letter if there is no picture', () => {
  render(<Avatar name="ruth" url={null} />)
  expect(picture()).toBeNull()
  expect(screen.getByText('R')).toBeDefined()
})
