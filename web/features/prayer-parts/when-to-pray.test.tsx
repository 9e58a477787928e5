import { fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { NO_SCHEDULE, type Schedule } from './schedule.ts'
import { WhenToPray } from './when-to-pray.tsx'

const saved = vi.fn<(schedule: Schedule) => void>()

beforeEach(() => void vi.useFakeTimers({ now: new Date(2025, 10, 24) }))

function Form({ initial }: { initial: Schedule }) {
  const [current, setCurrent] = useState(initial)
  const handleChange = (change: Partial<Schedule>) => {
    setCurrent({ ...current, ...change })
    saved({ ...current, ...change })
  }
  return <WhenToPray schedule={current} onChange={handleChange} />
}

const show = (initial: Partial<Schedule> = {}) => render(<Form initial={{ ...NO_SCHEDULE, ...initial }} />)
const group = (name: string) => screen.getByRole('group', { name })
/** The message that belongs to a field. */
const describing = (field: HTMLElement) =>
  document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent
const press = (name: string | RegExp, inside: HTMLElement = document.body) =>
  fireEvent.click(within(inside).getByRole('button', { name }))
const pressed = (inside: HTMLElement) =>
  within(inside)
    .queryAllByRole('button', { pressed: true })
    .map((button) => button.getAttribute('aria-label') ?? button.textContent)

it.each([
  ['closed', 'nothing is set', {}],
  ['closed', 'a pause is over', { resting_until: '2025-11-24' }],
  ['open', 'a pause is not over', { resting_until: '2025-11-25' }],
])('is %s if %s', (state, _, schedule) => {
  show(schedule)
  const isOpen = state === 'open'
  const [toggle] = screen.getAllByRole('button')
  expect(toggle?.getAttribute('aria-expanded')).toBe(String(isOpen))
  expect(screen.queryByLabelText('Pause until') !== null).toBe(isOpen)
})

it('is open if something is set, and says what when it is closed', () => {
  show({ due_on: '2025-11-27', pray_days: 9, resting_until: '2025-12-03' })
  expect(screen.getByLabelText('On a specific date')).toHaveProperty('value', '2025-11-27')
  press('When to pray')
  press('When to pray Thursday, 27 November · Mondays and Thursdays · Paused until 3 December')
  expect(screen.getByLabelText('Pause until')).toHaveProperty('value', '2025-12-03')
})

it('selects weekdays one by one, or all at once, and clears them', () => {
  show()
  press('When to pray')
  press('Monday', group('Days of the week'))
  press('Sunday', group('Days of the week'))
  press('Tuesday', group('Days of the week'))
  press('Tuesday', group('Days of the week'))
  expect(saved).toHaveBeenLastCalledWith({ ...NO_SCHEDULE, pray_days: 65 })
  expect(pressed(group('Days of the week'))).toEqual(['Monday', 'Sunday'])
  press('Clear “Days of the week”')
  expect(saved).toHaveBeenLastCalledWith(NO_SCHEDULE)
  press('Every day')
  expect(saved).toHaveBeenLastCalledWith({ ...NO_SCHEDULE, pray_days: 127 })
  expect(pressed(group('Days of the week'))).toHaveLength(7)
})

it('sets and clears the dates', () => {
  show()
  press('When to pray')
  fireEvent.change(screen.getByLabelText('On a specific date'), { target: { value: '2025-11-27' } })
  fireEvent.change(screen.getByLabelText('Pause until'), { target: { value: '2025-12-03' } })
  const dates = { due_on: '2025-11-27', resting_until: '2025-12-03' }
  expect(saved).toHaveBeenLastCalledWith({ ...NO_SCHEDULE, ...dates })
  press('Clear “On a specific date”')
  press('Clear “Pause until”')
  expect(saved).toHaveBeenLastCalledWith(NO_SCHEDULE)
})

it('sets a date in one tap, takes it back with another, and says it in words', () => {
  show()
  press('When to pray')
  const days = group('Suggestions for “On a specific date”')
  const field = screen.getByLabelText('On a specific date')
  expect(describing(field)).toBeUndefined()
  press('Tomorrow', days)
  expect(saved).toHaveBeenLastCalledWith({ ...NO_SCHEDULE, due_on: '2025-11-25' })
  expect(pressed(days)).toEqual(['Tomorrow'])
  expect(describing(field)).toBe('Tuesday, 25 November')
  fireEvent.change(field, { target: { value: '2025-11-30' } })
  expect(pressed(days)).toEqual(['Sunday'])
  press('Sunday', days)
  expect(saved).toHaveBeenLastCalledWith(NO_SCHEDULE)

  press('In a month', group('Suggestions for “Pause until”'))
  expect(saved).toHaveBeenLastCalledWith({ ...NO_SCHEDULE, resting_until: '2025-12-24' })
  expect(describing(screen.getByLabelText('Pause until'))).toBe(
    'Prayed for again from Wednesday, 24 December.',
  )
})

it('repeats a date every month or every year; without a date, there is nothing to repeat', () => {
  show({ due_on: '2025-11-27' })
  const repeat = group('Repeat')
  expect(pressed(repeat)).toEqual(['Once'])
  press('Every month', repeat)
  expect(saved).toHaveBeenLastCalledWith({ ...NO_SCHEDULE, due_on: '2025-11-27', due_repeats: 'monthly' })
  expect(describing(screen.getByLabelText('On a specific date'))).toBe(
    'Every month on the 27th, from Thursday, 27 November',
  )
  press('Every year', repeat)
  expect(pressed(repeat)).toEqual(['Every year'])
  press('Once', repeat)
  expect(saved).toHaveBeenLastCalledWith({ ...NO_SCHEDULE, due_on: '2025-11-27' })
  press('Clear “On a specific date”')
  expect(screen.queryByRole('group', { name: 'Repeat' })).toBeNull()
})
