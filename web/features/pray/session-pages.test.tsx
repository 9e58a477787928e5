import { render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Prayer } from '#web/data/prayers.ts'
import { samplePrayer } from '#web/data/sample-rows.test-data.ts'
import { press } from '#web/test-rendering.tsx'
import type { Outcome } from './session-progress.ts'
import { PrayerPage, SessionEnd } from './session-pages.tsx'

// jsdom cannot scroll.
beforeEach(() => void vi.spyOn(globalThis, 'scrollTo').mockReturnValue(undefined))

describe('a prayer in a session', () => {
  const page = (given: Partial<Prayer>) => (
    <PrayerPage prayer={samplePrayer(given)} category="Family" outcome={undefined} />
  )

  it('says why it is planned for today, also while it is being recorded that it was prayed', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T09:00:00Z') })
    const { rerender } = render(page({ pray_days: 64 }))
    expect(screen.getByRole('article').textContent).toBe('FamilyAnnaSundays')
    rerender(page({ pray_days: 64, last_prayed_on: '2026-11-22' }))
    expect(screen.getByRole('article').textContent).toBe('FamilyAnnaSundays')
  })

  it('has no reason if it is not planned', () => {
    render(page({ last_prayed_on: '2025-01-01' }))
    expect(screen.getByRole('article').textContent).toBe('FamilyAnna')
  })

  it.each([
    ['a short note', 'For peace\nbefore the operation', true],
    ['a long note', 'For peace before the operation. '.repeat(6), false],
    ['a list', 'one\ntwo\nthree\nfour\nfive', false],
  ])('has %s in the middle: %s', (_, note, isCentred) => {
    render(page({ note }))
    expect(document.querySelector('.pray-note')?.hasAttribute('data-short')).toBe(isCentred)
  })
})

describe('the end of a session', () => {
  const ended = { day: '2026-11-22', ids: [], current: null }

  it('remembers what was written about an answer of this day in an earlier year, the latest one', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T09:00:00Z') })
    const answered = (id: string, answered_on: string, answer: string | null) =>
      samplePrayer({ id, resolved: true, answered_on, answer })
    const prayers = [
      answered('today', '2026-11-22', 'Today'),
      answered('another day', '2025-11-21', 'Another day'),
      answered('older', '2020-11-22', 'Six years ago'),
      answered('newer', '2024-11-22', ' Papa and his brother embraced.'),
      answered('newest', '2025-11-22', ' '),
    ]
    const page = (outcome: Outcome) => (
      <SessionEnd
        session={{ ...ended, outcomes: { anna: outcome } }}
        prayers={prayers}
        onDone={() => undefined}
      />
    )
    const { rerender } = render(page('answered'))
    expect(document.body.textContent).toBe('Amen.Two years ago today: Papa and his brother embraced.Done')
    rerender(page('skipped'))
    expect(document.body.textContent).toBe('Nothing prayed this time.Done')
  })

  it.each<[string, Record<string, Outcome>, string]>([
    [
      'prayed for two people',
      { anna: 'prayed', ben: 'prayed', cora: 'skipped' },
      'Amen.You prayed for 2 people.',
    ],
    ['prayed for one person', { anna: 'prayed' }, 'Amen.You prayed for 1 person.'],
    ['had only answered prayers', { anna: 'answered' }, 'Amen.'],
    ['skipped everyone', { anna: 'skipped', ben: 'skipped' }, 'Nothing prayed this time.'],
    ['was left without anybody', {}, 'Nothing prayed this time.'],
  ])('after the user has %s', async (_, outcomes, text) => {
    const onDone = vi.fn<() => void>()
    render(<SessionEnd session={{ ...ended, outcomes }} prayers={[]} onDone={onDone} />)
    expect(document.body.textContent).toBe(`${text}Done`)
    expect(document.activeElement?.tagName).toBe('H1')
    await press('Done')
    expect(onDone).toHaveBeenCalled()
  })
})
