import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { CallbackScreen } from './callback-screen.tsx'

const message = () => screen.getByRole('alert').textContent

describe('returning from X without a session', () => {
  it('asks to add an email address when the X account has none', () => {
    render(<CallbackScreen reported="Error getting user email from external provider" initialising={null} />)
    expect(message()).toBe(
      'Unable to sign in. Please make sure you have an email address linked to your X/Twitter account and try again.',
    )
    expect(screen.queryByText(/The other service said/)).toBeNull()
  })

  it('asks to try again, and shows what X reported', () => {
    render(<CallbackScreen reported="The user denied the request" initialising={null} />)
    expect(message()).toBe('Authentication failed. Please try again.')
    expect(screen.getByText('The other service said: The user denied the request')).toBeDefined()
  })

  it('shows why the session could not be loaded', () => {
    render(<CallbackScreen reported={null} initialising="Failed to initialize auth" />)
    expect(message()).toBe('Failed to initialize auth')
  })
})
