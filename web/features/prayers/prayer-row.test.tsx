import { describe, expect, it } from 'vitest'
import { samplePrayer } from '#web/data/sample-rows.test-data.ts'
import { rowTexts } from './prayer-row.tsx'

const TODAY = '2025-11-24' // a Monday

describe('a row', () => {
  it.each([
    ['nothing', {}, null, []],
    ['a date', { due_on: '2025-11-27' }, null, ['Thursday, 27 November']],
    ['the date of today', { due_on: TODAY }, null, ['today']],
    ['a date that is over', { due_on: '2025-11-23' }, null, ['yesterday']],
    ['a pause', { resting_until: '2025-12-03' }, null, ['Paused until 3 December']],
    ['no pause that ends today', { resting_until: TODAY }, null, []],
    ['the newest update', {}, '2025-11-03', ['Updated 3 November']],
    ['an update of last year', {}, '2024-11-03', ['Updated 3 November 2024']],
    ['no weekdays', { pray_days: 1 }, null, []],
    [
      'all of it',
      { due_on: '2025-11-27', resting_until: '2025-11-26' },
      '2025-11-03',
      ['Thursday, 27 November', 'Paused until 26 November', 'Updated 3 November'],
    ],
  ])('shows %s', (_, columns, updatedOn, texts) => {
    expect(rowTexts(samplePrayer(columns), updatedOn, TODAY)).toEqual(texts)
  })

  it('of a resolved prayer shows none of it', () => {
    const prayer = samplePrayer({ resolved: true, due_on: TODAY, resting_until: '2025-12-03' })
    expect(rowTexts(prayer, '2025-11-03', TODAY)).toEqual([])
  })
})
