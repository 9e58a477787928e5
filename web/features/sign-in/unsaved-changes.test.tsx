import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { UnsavedChanges } from './unsaved-changes.tsx'

const TEXT = 'Changes that are not saved yet are kept on this device'

beforeEach(() => {
  // jsdom does not implement these methods.
  HTMLDialogElement.prototype.showModal = function open() {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close() {
    this.open = false
  }
})

it('shows nothing if no changes are kept', () => {
  render(<UnsavedChanges />)
  expect(screen.queryByText(TEXT)).toBeNull()
})

it('discards them after asking', async () => {
  localStorage.setItem('intercede-unsaved-changes', '1')
  render(<UnsavedChanges />)
  expect(screen.getByText(TEXT)).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
  const dialog = await screen.findByRole('alertdialog')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.getByText(TEXT)).toBeDefined()
  expect(dialog.isConnected).toBe(false)

  fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
  await screen.findByRole('alertdialog')
  const [, confirm] = screen.getAllByRole('button', { name: 'Discard' })
  if (confirm) await act(async () => fireEvent.click(confirm))
  await expect.poll(() => screen.queryByText(TEXT)).toBeNull()
  expect(localStorage.getItem('intercede-unsaved-changes')).toBeNull()
})
