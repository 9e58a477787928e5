import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { PrayerUpdate } from '#web/data/prayer-updates.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { samplePrayer, sampleUpdate } from '#web/data/sample-rows.test-data.ts'
import { press } from '#web/test-rendering.tsx'
import { AnsweredEntry, beginningOf } from './answered-entry.tsx'

const update = (id: string, body: string, created_at = '2026-03-03T12:00:00+00:00') =>
  sampleUpdate({ id, body, created_at })

function renderEntry(given: Partial<Prayer>, updates: readonly PrayerUpdate[] = [], printing = false) {
  const events = { onEdit: vi.fn<(prayer: Prayer) => void>(), onReopen: vi.fn<(prayer: Prayer) => void>() }
  const prayer = samplePrayer({ resolved: true, ...given })
  render(
    <AnsweredEntry
      prayer={prayer}
      category="Family"
      updates={updates}
      yearOf="2026-11-22"
      printing={printing}
      {...events}
    />,
  )
  return { prayer, ...events }
}

const text = () => screen.getByRole('article').textContent

it('says what was asked, what happened, and how and when it was answered', () => {
  const given = { note: 'The operation', answer: 'Home again!', answered_on: '2026-06-02', times_prayed: 37 }
  renderEntry(given, [update('new', 'Moved to June'), update('old', 'In May', '2025-12-31T12:00:00+00:00')])
  expect(text()).toContain('AnnaFamily\u00A0· Answered 2 JuneThe operationHome again!')
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    '3 MarchMoved to June',
    '31 December 2025In May',
  ])
  expect(text()).toContain('Prayed 37 times over 5 months')
})

it('says nothing about what is not known', () => {
  renderEntry({})
  expect(text()).toBe('AnnaFamilyRecord answerReopen')
})

it('edits the answer, and reopens the prayer', async () => {
  const { prayer, onEdit, onReopen } = renderEntry({ answer: 'Home again!' })
  await press('Edit answer for Anna')
  expect(onEdit).toHaveBeenCalledWith(prayer)
  await press('Reopen Anna')
  expect(onReopen).toHaveBeenCalledWith(prayer)
})

it('shows the rest of long texts, and of many updates, on request', async () => {
  const updates = ['1', '2', '3', '4'].map((id) => update(id, `Update ${id}`))
  renderEntry({ answer: `${'word '.repeat(200)}end` }, updates)
  expect(text()).not.toContain('end')
  expect(screen.getAllByRole('listitem')).toHaveLength(3)
  await press('Show more about Anna')
  expect(text()).toContain('word end')
  expect(screen.getAllByRole('listitem')).toHaveLength(4)
  await press('Show less about Anna')
  expect(screen.getAllByRole('listitem')).toHaveLength(3)
})

it('is printed in full', () => {
  renderEntry({ answer: `${'word '.repeat(200)}end` }, [], true)
  expect(text()).toContain('word end')
  expect(screen.queryByRole('button', { name: 'Show more about Anna' })).toBeNull()
})

it('shows an answer once that is an update too, as after reopening was undone', () => {
  renderEntry({ answer: 'Home again!' }, [update('1', 'Home again!')])
  expect(screen.getAllByText('Home again!')).toHaveLength(1)
})

it.each([
  ['is empty', '', ''],
  ['is short', 'Peace before the operation', 'Peace before the operation'],
  ['has a few lines', 'line\n'.repeat(7), 'line\n'.repeat(7)],
  ['has 480 characters', 'x'.repeat(480), 'x'.repeat(480)],
  // It ends after a word.
  ['is long', 'every day counts '.repeat(100), `${'every day counts '.repeat(27)}every day counts…`],
  ['has many lines', 'line\n'.repeat(20), `${'line\n'.repeat(7)}line…`],
  ['has no spaces', 'x'.repeat(1000), `${'x'.repeat(480)}…`],
  // No character is cut in half.
  ['is made of emoji', `x${'🙏'.repeat(500)}`, `x${'🙏'.repeat(239)}…`],
])('the beginning of a text that %s', (_, whole, beginning) => {
  expect(beginningOf(whole)).toBe(beginning)
})
