import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { DateField } from './date-field.tsx'

const onChange = vi.fn<(value: string) => void>()
const field = () => screen.getByLabelText<HTMLInputElement>('Pause until')
const clear = () => screen.queryByRole('button', { name: 'Clear “Pause until”' })

function show(value: string) {
  return render(<DateField label="Pause until" hint="It comes back." value={value} onChange={onChange} />)
}

it('is cleared in one tap, which leaves the focus in the field', () => {
  const { rerender } = show('2026-11-27')
  const button = clear()
  if (button) fireEvent.click(button)
  expect(onChange).toHaveBeenCalledWith('')
  expect(document.activeElement).toBe(field())
  rerender(<DateField label="Pause until" value="" onChange={onChange} />)
  expect(clear()).toBeNull()
})

it.each([
  ['0026-11-27', 'Please check the year'],
  ['2026-11-27', undefined],
])('says so if %s cannot be meant, when the focus leaves it', (value, error) => {
  show(value)
  expect(screen.queryByRole('alert')).toBeNull()
  fireEvent.blur(field())
  expect(screen.queryByRole('alert')?.textContent).toBe(error)
})

it('says so until the date has become valid', () => {
  const { rerender } = show('0020-11-27')
  fireEvent.blur(field())
  const type = (value: string) => {
    fireEvent.change(field(), { target: { value } })
    rerender(<DateField label="Pause until" value={value} onChange={onChange} />)
  }
  type('0202-11-27')
  expect(screen.getByRole('alert').textContent).toBe('Please check the year')
  type('2026-11-27')
  expect(screen.queryByRole('alert')).toBeNull()
  type('0002-11-27')
  expect(screen.queryByRole('alert')).toBeNull()
})

it('is set by a suggestion, and cleared by the same one', () => {
  const suggestions = [{ label: 'Tomorrow', day: '2026-11-27' }]
  const dateField = (value: string) => (
    <DateField label="Pause until" value={value} suggestions={suggestions} onChange={onChange} />
  )
  const { rerender } = render(dateField(''))
  const chip = screen.getByRole('button', { name: 'Tomorrow' })
  fireEvent.click(chip)
  expect(onChange).toHaveBeenLastCalledWith('2026-11-27')
  rerender(dateField('2026-11-27'))
  expect(chip.getAttribute('aria-pressed')).toBe('true')
  fireEvent.click(chip)
  expect(onChange).toHaveBeenLastCalledWith('')
})

it('says so if a date is later than the last one that is accepted', () => {
  render(<DateField label="Pause until" value="2026-11-28" last="2026-11-27" onChange={onChange} />)
  fireEvent.blur(field())
  expect(screen.getByRole('alert').textContent).toBe('The date cannot be in the future')
})

it('says so if a date is typed in part, which has no value, until it is cleared', () => {
  show('')
  expect(clear()).toBeNull()
  Object.defineProperty(field(), 'validity', { value: { badInput: true } })
  fireEvent.invalid(field())
  expect(screen.getByRole('alert').textContent).toBe('Please enter a complete date')
  const button = clear()
  if (button) fireEvent.click(button)
  expect(screen.queryByRole('alert')).toBeNull()
})
