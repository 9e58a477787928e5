import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Avatar } from './avatar.tsx'

const picture = () => document.querySelector('img')

it('is the picture where there is one', () => {
  render(<Avatar name="ruth" url="https://pictures.example/ruth.png" />)
  expect(picture()?.src).toBe('https://pictures.example/ruth.png')
  expect(screen.queryByText('R')).toBeNull()
})

it('is the first letter of the name, in upper case, where there is none', () => {
  render(<Avatar name="ruth" url={null} />)
  expect(picture()).toBeNull()
  expect(screen.getByText('R')).toBeDefined()
})

it('is the letter as well where the picture can not be had', () => {
  render(<Avatar name="ruth" url="https://pictures.example/gone.png" />)
  const broken = picture()
  if (broken) fireEvent.error(broken)
  expect(picture()).toBeNull()
  expect(screen.getByText('R')).toBeDefined()
})
