import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { press } from '#web/test-rendering.tsx'
import { CallbackScreen } from './callback-screen.tsx'

const NO_ADDRESS =
  'Unable to sign in. Please make sure you have an email address linked to your X/Twitter account and try again.'
const DENIED = 'The user denied the request'

it.each([
  ['Error getting user email from external provider', null, NO_ADDRESS, null],
  [DENIED, null, 'Authentication failed. Please try again.', `The other service said: ${DENIED}`],
  [null, 'Failed to initialize auth', 'Failed to initialize auth', null],
])(
  'returning from X without a session, with the error %s (or %s), says: %s',
  async (reported, initialising, ...texts) => {
    history.replaceState(null, '', '/auth/callback')
    render(<CallbackScreen reported={reported} initialising={initialising} />)
    const quote = screen.queryByText(/The other service said/)?.textContent ?? null
    expect([screen.getByRole('alert').textContent, quote]).toEqual(texts)
    await press('Back to Login')
    expect(location.pathname).toBe('/')
  },
)
