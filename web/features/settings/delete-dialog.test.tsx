import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { DeleteDialog } from './delete-dialog.tsx'
import type { DeletionProof } from './use-deletion.ts'

const onConfirm = vi.fn<(password: string | null) => void>()
const onSignInWithX = vi.fn<() => void>()
const onCancel = vi.fn<() => void>()

beforeEach(() => {
  for (const mock of [onConfirm, onSignInWithX, onCancel]) mock.mockReset()
  // jsdom does not implement these methods.
  HTMLDialogElement.prototype.showModal = function open() {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close() {
    this.open = false
  }
})

function show(proof: DeletionProof) {
  render(
    <DeleteDialog
      email="ruth@example.org"
      preview={{ prayers: 2, categories: 1, signed_in_lately: false }}
      proof={proof}
      busy={false}
      error={null}
      onConfirm={onConfirm}
      onSignInWithX={onSignInWithX}
      onCancel={onCancel}
    />,
  )
}

const deleteButton = () => screen.queryByRole('button', { name: 'Delete my account' })
const signInWithXAgain = () => screen.queryByRole('button', { name: 'Sign in with X again' })

it('asks a user who signed in with X to sign in with X again, and deletes nothing before', () => {
  show('x')
  expect(deleteButton()).toBeNull()
  expect(screen.queryByLabelText('Your password')).toBeNull()
  const button = signInWithXAgain()
  if (button) fireEvent.click(button)
  expect(onSignInWithX).toHaveBeenCalledTimes(1)
  expect(onConfirm).not.toHaveBeenCalled()
})

it('offers both confirmation methods when the account has both', () => {
  show('password-or-x')
  expect(screen.getByLabelText('Your password')).toBeDefined()
  expect(signInWithXAgain()).not.toBeNull()
  expect(deleteButton()).not.toBeNull()
})

it('asks only for a confirmation after a recent sign-in with X', () => {
  show('recent-sign-in')
  expect(screen.queryByLabelText('Your password')).toBeNull()
  const button = deleteButton()
  if (button) fireEvent.click(button)
  expect(onConfirm).toHaveBeenCalledWith(null)
})
