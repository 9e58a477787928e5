import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Select } from './select.tsx'
import { PasswordField, TextArea, TextField } from './fields.tsx'

it('announces an error and describes the field by it', () => {
  render(<TextField label="Name" error="Please enter a name" hint="As you call them" />)
  const field = screen.getByLabelText('Name')
  const alert = screen.getByRole('alert')
  expect(alert.textContent).toBe('Please enter a name')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(field.getAttribute('aria-describedby')).toBe(alert.id)
})

it('describes a valid field by its hint alone', () => {
  render(<TextField label="Name" hint="As you call them" />)
  const described = screen.getByLabelText('Name').getAttribute('aria-describedby') ?? ''
  expect(document.getElementById(described)?.textContent).toBe('As you call them')
  expect(screen.getByLabelText('Name').hasAttribute('aria-invalid')).toBe(false)
})

it.each([
  ['text field', <TextField key="field" label="Text" maxLength={3} />],
  ['text area', <TextArea key="area" label="Text" maxLength={3} />],
])('announces that a %s has reached its maximum length', (_kind, field) => {
  render(field)
  fireEvent.input(screen.getByLabelText('Text'), { target: { value: 'ab' } })
  expect(screen.queryByRole('status')).toBeNull()
  fireEvent.input(screen.getByLabelText('Text'), { target: { value: 'abc' } })
  expect(screen.getByRole('status').textContent).toBe('You have reached the limit of 3 characters.')
})

it('shows a password and hides it again', () => {
  render(<PasswordField label="Password" autoComplete="current-password" />)
  const field = screen.getByLabelText('Password')
  fireEvent.click(screen.getByRole('button', { name: 'Show password' }))
  expect(field.getAttribute('type')).toBe('text')
  fireEvent.click(screen.getByRole('button', { name: 'Hide password' }))
  expect(field.getAttribute('type')).toBe('password')
})

it('lists the placeholder of a select before its options', () => {
  render(
    <Select label="Category" placeholder="Select a category" options={[{ value: '1', label: 'Family' }]} />,
  )
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'Select a category',
    'Family',
  ])
})
