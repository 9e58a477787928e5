import { fireEvent, render, screen } from '@testing-library/react'
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
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const pressed = () =>
  screen
    .getAllByRole('button')
    .filter((button) => button.getAttribute('aria-pressed') === 'true')
    .map((button) => button.getAttribute('aria-label'))

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
  press('Monday')
  press('Sunday')
  press('Tuesday')
  press('Tuesday')
  expect(saved).toHaveBeenLastCalledWith({ ...NO_SCHEDULE, pray_days: 65 })
  expect(pressed()).toEqual(['Monday', 'Sunday'])
  press('Clear “Days of the week”')
  expect(saved).toHaveBeenLastCalledWith(NO_SCHEDULE)
  press('Every day')
  expect(saved).toHaveBeenLastCalledWith({ ...NO_SCHEDULE, pray_days: 127 })
  expect(pressed()).toHaveLength(7)
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
