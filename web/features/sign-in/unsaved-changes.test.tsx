import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { press } from '#web/test-rendering.tsx'
import { UnsavedChanges } from './unsaved-changes.tsx'

const TEXT = 'Changes that are not saved yet are kept on this device'

it('shows nothing if no changes are kept', () => {
  render(<UnsavedChanges />)
  expect(screen.queryByText(TEXT)).toBeNull()
})

it('discards them after asking', async () => {
  localStorage.setItem('intercede-unsaved-changes', '1')
  render(<UnsavedChanges />)
  await press('Discard')
  const dialog = await screen.findByRole('alertdialog')
  await press('Cancel')
  expect(screen.getByText(TEXT)).toBeDefined()
  expect(dialog.isConnected).toBe(false)

  await press('Discard')
  await press('Discard', await screen.findByRole('alertdialog'))
  await expect.poll(() => screen.queryByText(TEXT)).toBeNull()
  expect(localStorage.getItem('intercede-unsaved-changes')).toBeNull()
})
