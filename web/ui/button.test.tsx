import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Button, type ButtonVariant, IconButton, type IconButtonVariant } from './button.tsx'

const BUTTONS: ButtonVariant[] = ['primary', 'secondary', 'danger', 'ghost']
const ICON_BUTTONS: IconButtonVariant[] = ['default', 'primary', 'success', 'danger', 'info']

const looks = () => new Set(screen.getAllByRole('button').map((button) => button.className))

it('has four distinct button variants', () => {
  render(BUTTONS.map((variant) => <Button key={variant} variant={variant} />))
  expect(looks().size).toBe(4)
})

it('has five distinct icon button variants', () => {
  render(ICON_BUTTONS.map((variant) => <IconButton key={variant} label={variant} variant={variant} />))
  expect(looks().size).toBe(5)
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
