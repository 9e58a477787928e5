import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Button, type ButtonVariant, IconButton, type IconButtonVariant } from './button.tsx'

const BUTTONS: ButtonVariant[] = ['primary', 'secondary', 'danger', 'ghost']
const ICON_BUTTONS: IconButtonVariant[] = ['default', 'primary', 'success', 'danger', 'info']

it.each([
  ['buttons', BUTTONS.map((variant) => <Button key={variant} variant={variant} />)],
  [
    'icon buttons',
    ICON_BUTTONS.map((variant) => <IconButton key={variant} label={variant} variant={variant} />),
  ],
])('the variants of %s look different', (_, variants) => {
  render(variants)
  const looks = screen.getAllByRole('button').map((button) => button.className)
  expect(new Set(looks).size).toBe(variants.length)
})

it('ignores clicks and is marked as busy while loading', () => {
  let clicks = 0
  render(
    <Button loading onClick={() => (clicks += 1)}>
      Save
    </Button>,
  )
  const button = screen.getByRole('button', { name: 'Save' })
  button.click()
  expect(clicks).toBe(0)
  expect(button.getAttribute('aria-busy')).toBe('true')
})
