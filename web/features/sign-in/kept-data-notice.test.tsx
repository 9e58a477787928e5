import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { press } from '#web/test-rendering.tsx'
import { KeptData } from './kept-data-notice.tsx'

it('shows nothing if nothing is kept', () => {
  const { container } = render(<KeptData />)
  expect(container.textContent).toBe('')
})

it.each([
  ['unsaved-changes', /^Changes that are not saved yet are kept on this device\.$/],
  ['everything', /^Prayers are kept on this device, hidden until their owner signs in, for 30 days\.$/],
])('says what is kept, and discards it after asking: %s', async (kept, text) => {
  localStorage.setItem('intercede-kept-data', JSON.stringify(kept))
  render(<KeptData />)
  await press('Discard')
  const dialog = await screen.findByRole('alertdialog')
  await press('Cancel')
  expect(screen.getByText(text)).toBeDefined()
  expect(dialog.isConnected).toBe(false)

  await press('Discard')
  await press('Discard', await screen.findByRole('alertdialog'))
  await expect.poll(() => screen.queryByText(text)).toBeNull()
  expect(localStorage.getItem('intercede-kept-data')).toBeNull()
})
