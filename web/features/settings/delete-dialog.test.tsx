import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { DeleteDialog } from './delete-dialog.tsx'
import type { DeletionProof } from './deletion-proof.ts'

const onConfirm = vi.fn<(password: string | null) => void>()
const onLeaveForX = vi.fn<() => void>()
const onCancel = vi.fn<() => void>()

beforeEach(() => {
  for (const mock of [onConfirm, onLeaveForX, onCancel]) mock.mockReset()
  // jsdom has dialogs, but does not open them.
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
      account="ruth@example.org"
      productName="Intercede"
      preview={{ prayers: 2, categories: 1, signed_in_lately: false }}
      proof={proof}
      busy={false}
      error={null}
      onConfirm={onConfirm}
      onLeaveForX={onLeaveForX}
      onCancel={onCancel}
    />,
  )
}

const deletes = () => screen.queryByRole('button', { name: 'Delete my account' })
const againWithX = () => screen.queryByRole('button', { name: 'Sign in with X again' })

it('asks who came by X to come by X again, and deletes nothing before', () => {
  show('X')
  expect(deletes()).toBeNull()
  expect(screen.queryByLabelText('Your password')).toBeNull()
  const button = againWithX()
  if (button) fireEvent.click(button)
  expect(onLeaveForX).toHaveBeenCalledTimes(1)
  expect(onConfirm).not.toHaveBeenCalled()
})

it('lets who has both choose', () => {
  show('password or X')
  expect(screen.getByLabelText('Your password')).toBeDefined()
  expect(againWithX()).not.toBeNull()
  expect(deletes()).not.toBeNull()
})

it('asks only for the word of who has just come by X', () => {
  show('just signed in')
  expect(screen.queryByLabelText('Your password')).toBeNull()
  const button = deletes()
  if (button) fireEvent.click(button)
  expect(onConfirm).toHaveBeenCalledWith(null)
})
