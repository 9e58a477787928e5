import { render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { anna, FakeServer, openSynced, withData } from '#web/data/user-data.test-data.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { sampleUpdate } from '#web/data/sample-rows.test-data.ts'
import { PrayerRow } from './prayer-row.tsx'

const TODAY = '2025-11-24' // a Monday

function row(columns: Partial<Prayer>) {
  return (
    <PrayerRow
      prayer={{ ...anna, ...columns }}
      today={TODAY}
      justResolved={false}
      printing={false}
      onResolve={() => {}}
      onEdit={() => {}}
      onDelete={() => {}}
    />
  )
}

/** Returns what is said below the name. */
async function show(columns: Partial<Prayer>, updatedAt: string | null = null) {
  const server = new FakeServer()
  server.put('prayers', anna)
  if (updatedAt !== null)
    server.put('prayer_updates', sampleUpdate({ prayer_id: anna.id, created_at: updatedAt }))
  const { data } = await openSynced(server)
  render(row(columns), withData(data))
  const name = screen.getByText(anna.person_name)
  const texts = [...(name.closest('p')?.parentElement?.querySelectorAll('p:not(:first-child) > span') ?? [])]
  return texts.map(({ textContent }) => textContent.trim())
}
const sign = () => screen.queryByRole('img', { name: 'For today' })

describe('below the name', () => {
  it('a row says nothing, if there is nothing to say', async () => {
    expect(await show({})).toEqual([])
  })

  it('a row says when to pray, and when the newest update was written', async () => {
    const plan = { due_on: '2025-11-27', pray_days: 64, resting_until: '2025-11-26' }
    expect(await show(plan, '2024-11-03T12:00:00Z')).toEqual([
      'Due Thursday, 27 November',
      'Sundays',
      'Paused until 26 November',
      'Updated 3 November 2024',
    ])
  })

  it('a name begins beside its sun, whichever direction it is written in', async () => {
    await show({})
    const name = screen.getByText(anna.person_name)
    expect(name.tagName).toBe('BDI')
    expect(name.closest('[dir]')).toBeNull()
  })

  it('the row of a resolved prayer says none of it', async () => {
    expect(await show({ resolved: true, due_on: TODAY }, '2025-11-03T12:00:00Z')).toEqual([])
    expect(sign()).toBeNull()
  })
})

it.each<[string, Partial<Prayer>, string | null]>([
  ['its date has come', { due_on: '2025-11-23' }, 'Due yesterday'],
  ['today is one of its weekdays', { pray_days: 1 }, 'Mondays'],
  ['it was prayed today', { due_on: '2025-11-23', pray_days: 1, last_prayed_on: TODAY }, null],
  ['its date is to come', { due_on: '2025-11-25' }, null],
  [
    'today is one of its weekdays, and its date is to come',
    { due_on: '2025-11-25', pray_days: 1 },
    'Mondays',
  ],
  ['it is paused', { due_on: TODAY, resting_until: '2025-11-26' }, null],
  ['it has no plan', {}, null],
])('the sign of what is due is beside the reason, if %s', async (_, columns, reason) => {
  await show(columns)
  expect(sign()?.parentElement?.textContent.trim() ?? null).toBe(reason)
})

it('a note is measured again when it has changed', async () => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #callback: () => void
      constructor(callback: () => void) {
        this.#callback = callback
      }
      observe() {
        this.#callback()
      }
      disconnect() {}
    },
  )
  const height = vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(0)
  const more = () => screen.queryByRole('button', { name: /^more of the note/ })
  const { data } = await openSynced(new FakeServer())
  const { rerender } = render(row({ note: 'One line' }), withData(data))
  expect(more()).toBeNull()
  height.mockReturnValue(63)
  rerender(row({ note: 'Three lines' }))
  expect(more()).not.toBeNull()
})
