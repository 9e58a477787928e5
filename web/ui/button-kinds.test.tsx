import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Button } from './button.tsx'
import type { ButtonVariant } from './button-style.ts'
import { IconButton, type IconButtonVariant } from './icon-button.tsx'

const BUTTONS: ButtonVariant[] = ['primary', 'secondary', 'danger', 'ghost']
const ROW_ACTIONS: IconButtonVariant[] = ['default', 'primary', 'success', 'danger', 'info']

const looks = () => new Set(screen.getAllByRole('button').map((button) => button.className))

it('buttons come in four kinds that look different', () => {
  render(BUTTONS.map((kind) => <Button key={kind} variant={kind} />))
  expect(looks().size).toBe(4)
})

it('actions of a row come in five kinds that look different', () => {
  render(ROW_ACTIONS.map((kind) => <IconButton key={kind} label={kind} variant={kind} />))
  expect(looks().size).toBe(5)
})

it('a button at work says so and ignores presses', () => {
  let presses = 0
  render(
    <Button loading onClick={() => (presses += 1)}>
      Save
    </Button>,
  )
  const button = screen.getByRole('button', { name: 'Save' })
  button.click()
  expect(presses).toBe(0)
  expect(button.getAttribute('aria-busy')).toBe('true')
})
