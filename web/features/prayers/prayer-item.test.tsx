import { act, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Prayer } from '#web/data/prayers.ts'

const prayer: Prayer = {
  id: 'anna',
  category_id: 'family',
  person_name: 'Anna',
  note: null,
  resolved: false,
  created_at: '2026-03-01T09:00:00Z',
  user_id: 'person',
}

/** As the browser tells it to an element with `content-visibility: auto`. */
class StateChange extends Event {
  readonly skipped: boolean
  constructor(skipped: boolean) {
    super('contentvisibilityautostatechange')
    this.skipped = skipped
  }
}

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('CSS', { supports: () => true })
  vi.stubGlobal('ContentVisibilityAutoStateChangeEvent', StateChange)
})

async function show({ entering = false, sparing = true }) {
  const { PrayerItem } = await import('./prayer-item.tsx')
  const row = { key: prayer.id, item: prayer, entering, leaving: false }
  const nothing = () => {}
  const events = { onResolve: nothing, onEdit: nothing, onDelete: nothing, onGone: nothing }
  render(<PrayerItem row={row} justResolved={false} sparing={sparing} {...events} />)
}

const buttons = () => screen.queryAllByRole('button').length

function tell(skipped: boolean) {
  act(() => void screen.getByRole('listitem').dispatchEvent(new StateChange(skipped)))
}

it('is its text alone until it comes into sight, and whole from then on', async () => {
  await show({})
  expect(screen.getByText('Anna')).toBeDefined()
  expect(buttons()).toBe(0)
  tell(true)
  expect(buttons()).toBe(0)
  tell(false)
  expect(buttons()).toBe(3)
  tell(true)
  expect(buttons()).toBe(3)
})

it('is whole at once when it has just come', async () => {
  await show({ entering: true })
  expect(buttons()).toBe(3)
})

it('is whole at once where there are few', async () => {
  await show({ sparing: false })
  expect(buttons()).toBe(3)
})
