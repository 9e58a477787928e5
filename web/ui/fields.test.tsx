import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { PasswordField } from './password-field.tsx'
import { Select } from './select.tsx'
import { TextArea } from './text-area.tsx'
import { TextField } from './text-field.tsx'

it('a field says what is wrong with it, at once and to whoever comes to it', () => {
  render(<TextField label="Name" error="Please enter a name" hint="As you call them" />)
  const field = screen.getByLabelText('Name')
  const alert = screen.getByRole('alert')
  expect(alert.textContent).toBe('Please enter a name')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(field.getAttribute('aria-describedby')).toBe(alert.id)
})

it('a field without a mistake is described by its hint alone', () => {
  render(<TextField label="Name" hint="As you call them" />)
  const described = screen.getByLabelText('Name').getAttribute('aria-describedby') ?? ''
  expect(document.getElementById(described)?.textContent).toBe('As you call them')
  expect(screen.getByLabelText('Name').hasAttribute('aria-invalid')).toBe(false)
})

it.each([
  ['a line', <TextField key="line" label="Text" maxLength={3} />],
  ['several lines', <TextArea key="lines" label="Text" maxLength={3} />],
])('%s of text speaks up when no more fits', (_kind, field) => {
  render(field)
  fireEvent.input(screen.getByLabelText('Text'), { target: { value: 'ab' } })
  expect(screen.queryByRole('status')).toBeNull()
  fireEvent.input(screen.getByLabelText('Text'), { target: { value: 'abc' } })
  expect(screen.getByRole('status').textContent).toBe('That is as long as it can be: 3 characters.')
})

it('a password can be looked at, and hidden again', () => {
  render(<PasswordField label="Password" autoComplete="current-password" />)
  const field = screen.getByLabelText('Password')
  fireEvent.click(screen.getByRole('button', { name: 'Show password' }))
  expect(field.getAttribute('type')).toBe('text')
  fireEvent.click(screen.getByRole('button', { name: 'Hide password' }))
  expect(field.getAttribute('type')).toBe('password')
})

it('a choice begins with what is to be chosen', () => {
  render(
    <Select label="Category" placeholder="Select a category" options={[{ value: '1', label: 'Family' }]} />,
  )
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'Select a category',
    'Family',
  ])
})
