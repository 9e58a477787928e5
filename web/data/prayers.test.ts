import { expect, it } from 'vitest'
import { NOTE_MAX_LENGTH } from '#shared/limits.ts'
import { countByCategory, keptAsUpdate, pausedUntil, type Prayer, withoutHeading } from './prayers.ts'
import { samplePrayer } from './sample-rows.test-data.ts'

const anna = samplePrayer({ id: 'anna' })

it('counts the prayers of each category, resolved ones included', () => {
  const prayers = [
    anna,
    { ...anna, id: 'ben', category_id: 'friends' },
    { ...anna, id: 'cora', resolved: true },
  ]
  expect([...countByCategory(prayers)]).toEqual([
    ['family', 2],
    ['friends', 1],
  ])
})

it.each(['from here', 'two\n\nparagraphs', 'a'.repeat(NOTE_MAX_LENGTH), 'Your version of it is better'])(
  'recognises a text that was kept as an update, or as an update of an update: %.40s',
  (text) => {
    const kept = (each: string) => keptAsUpdate('anna', each, '2026-11-03T14:05:00Z').fields.body
    expect([text, kept(text), kept(kept(text))].map(withoutHeading)).toEqual([text, text, text])
  },
)

it('a prayer comes back on the day on which its pause ends', () => {
  const prayer: Prayer = { ...anna, resting_until: '2025-12-03' }
  expect(pausedUntil(prayer, '2025-12-02')).toBe('2025-12-03')
  expect(pausedUntil(prayer, '2025-12-03')).toBeNull()
  expect(pausedUntil({ ...prayer, resolved: true }, '2025-12-02')).toBeNull()
})
