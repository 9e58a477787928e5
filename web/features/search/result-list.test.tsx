import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { sampleCategory, samplePrayer, samplePrayers, sampleUpdate } from '#web/data/sample-rows.test-data.ts'
import type { FoundPrayer } from './find-prayers.ts'
import { ResultList } from './result-list.tsx'

function list(found: readonly FoundPrayer[], words: readonly string[], isVisible = true) {
  return (
    <ResultList
      title="Open"
      found={found}
      categories={[sampleCategory({ is_visible: isVisible })]}
      words={words}
      today="2026-11-22"
    />
  )
}

const results = () => [...document.querySelectorAll('li')]
const texts = () => results().map((result) => result.textContent)

it('shows where a prayer is, and why it may not be on the dashboard', () => {
  const paused = samplePrayer({ resting_until: '2026-12-03' })
  const { rerender } = render(list([{ prayer: paused, updates: [] }], ['anna'], false))
  expect(texts()).toEqual(['AnnaFamily· Hidden category· Paused until 3 December'])
  // It has returned, or is answered.
  rerender(list([{ prayer: { ...paused, resting_until: '2026-11-22' }, updates: [] }], ['anna']))
  expect(texts()).toEqual(['AnnaFamily'])
  rerender(list([{ prayer: { ...paused, resolved: true }, updates: [] }], ['anna']))
  expect(texts()).toEqual(['AnnaFamily'])
})

it('shows what the lines are, and when they were written', () => {
  const prayer = samplePrayer({ note: 'A job', answer: 'Got the job', answered_on: '2025-11-03' })
  const update = sampleUpdate({ body: 'Job interview', created_at: '2026-02-01T12:00:00+00:00' })
  render(list([{ prayer, updates: [update] }], ['job']))
  expect(texts()).toEqual([
    'AnnaFamilyA jobAnswer, 3 November 2025Got the jobUpdate, 1 FebruaryJob interview',
  ])
  expect([...document.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual([
    'job',
    'job',
    'Job',
  ])
})

it('shows more results on request, and moves the focus to the first of them', () => {
  const found = samplePrayers(27, 'Anna').map((prayer) => ({ prayer, updates: [] }))
  const words = ['anna']
  const { rerender } = render(list(found, words))
  expect(texts()).toHaveLength(25)
  fireEvent.click(screen.getByText('Show all (27)'))
  expect(texts()).toHaveLength(27)
  expect(document.activeElement?.textContent).toBe('Anna 26')
  expect(screen.queryByText(/^Show all/)).toBeNull()

  rerender(list(found, ['ann']))
  expect(texts()).toHaveLength(25)
})

it('leads to the page of a prayer, and there to the update or answer in which it was found', () => {
  const prayer = samplePrayer({ note: 'A job', answer: 'Work at last' })
  const update = sampleUpdate({ id: 'interview', body: 'The interview is on Monday' })
  const { rerender } = render(list([{ prayer, updates: [update] }], ['interview']))
  const expectTarget = (words: readonly string[], href: string) => {
    rerender(list([{ prayer, updates: [update] }], words))
    expect(screen.getByRole('link', { name: 'Anna' }).getAttribute('href')).toBe(href)
  }
  expectTarget(['anna', 'interview'], '/prayer/prayer-1#interview')
  expectTarget(['job', 'interview', 'monday'], '/prayer/prayer-1#interview')
  expectTarget(['work'], '/prayer/prayer-1#answer')
  expectTarget(['job'], '/prayer/prayer-1')
  expectTarget(['anna'], '/prayer/prayer-1')
})
