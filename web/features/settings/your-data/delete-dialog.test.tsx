import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { sessionWith } from '#web/lib/session/sample-session.test-data.ts'
import { enter, press } from '#web/test-rendering.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import type { DeletionProof } from './use-deletion.ts'

const onConfirm = vi.fn<(password: string | null) => void>()
const onSignInWithX = vi.fn<() => void>()

function show(proof: DeletionProof) {
  render(
    <DeleteDialog
      user={sessionWith('token', 3600).user}
      preview={{ prayers: 2, categories: 1, signed_in_lately: false }}
      proof={proof}
      busy={false}
      error={null}
      onConfirm={onConfirm}
      onSignInWithX={onSignInWithX}
      onCancel={() => {}}
    />,
  )
}

const buttons = () => screen.getAllByRole('button').map((button) => button.textContent)

const DELETE = 'Delete my account'
const SIGN_IN = 'Sign in with X again'

it.each<[DeletionProof, boolean, string[]]>([
  ['password', true, [DELETE]],
  ['password-or-x', true, [SIGN_IN, DELETE]],
  ['recent-sign-in', false, [DELETE]],
  ['x', false, [SIGN_IN]],
])('offers the ways to confirm with the proof “%s”, a password: %s', (proof, asksForPassword, ways) => {
  show(proof)
  expect(screen.queryByLabelText('Your password') !== null).toBe(asksForPassword)
  expect(buttons().filter((text) => [DELETE, SIGN_IN].includes(text))).toEqual(ways)
})

it('asks a user who signed in with X to sign in with X again, and deletes nothing before', async () => {
  show('x')
  await press(SIGN_IN)
  expect(onSignInWithX).toHaveBeenCalledTimes(1)
  expect(onConfirm).not.toHaveBeenCalled()
})

it('asks for the password until it is typed', async () => {
  show('password')
  await press(DELETE)
  expect(screen.getByRole('alert').textContent).toBe('Please enter your password')
  enter('Your password', 'a')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(onConfirm).not.toHaveBeenCalled()
})

it('deletes without a password after a recent sign-in with X', async () => {
  show('recent-sign-in')
  await press(DELETE)
  expect(onConfirm).toHaveBeenCalledWith(null)
})
