import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Avatar } from './navigation-bar.tsx'

const picture = () => document.querySelector('img')

describe('the avatar', () => {
  it('is the picture if there is one', () => {
    render(<Avatar name="ruth" url="https://pictures.example/ruth.png" />)
    expect(picture()?.src).toBe('https://pictures.example/ruth.png')
    expect(screen.queryByText('R')).toBeNull()
  })

  it('is the first letter of the name, in upper case, if there is no picture', () => {
    render(<Avatar name="ruth" url={null} />)
    expect(picture()).toBeNull()
    expect(screen.getByText('R')).toBeDefined()
  })

  it('is the first letter if the picture does not load', () => {
    render(<Avatar name="ruth" url="https://pictures.example/missing.png" />)
    const broken = picture()
    if (broken) fireEvent.error(broken)
    expect(picture()).toBeNull()
    expect(screen.getByText('R')).toBeDefined()
  })
})
