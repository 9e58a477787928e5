import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ActionResult } from '#web/data/changes.ts'
import type { Prayer, PrayerFields } from '#web/data/prayers.ts'
import { answerToRecord } from '#web/lib/navigation-state.ts'
import { AnnouncementProvider } from '#web/ui/announcements.tsx'
import { samplePrayer } from '#web/data/sample-rows.test-data.ts'
import { usePrayerEvents } from './use-prayer-events.ts'

const anna = samplePrayer({ id: 'anna', person_name: 'Anna' })
const ben = samplePrayer({ id: 'ben', person_name: 'Ben' })
const cora = samplePrayer({ id: 'cora', person_name: 'Cora', resolved: true })

const restore = vi.fn<(shown: Prayer) => Promise<ActionResult>>()
const update = vi.fn<(shown: Prayer, fields: Partial<PrayerFields>) => Promise<ActionResult>>()
const actions = {
  add: () => Promise.resolve({ success: true } as const),
  update,
  restore,
  remove: () => Promise.resolve({ success: true } as const),
  markPrayed: () => Promise.resolve({ success: true } as const),
}

beforeEach(() => {
  vi.useFakeTimers()
  update.mockReset().mockResolvedValue({ success: true })
  restore.mockReset().mockResolvedValue({ success: true })
  answerToRecord.set(null)
})
afterEach(() => void vi.useRealTimers())

function Toggles({ error, resolvedAs }: { error: string | null; resolvedAs?: 'answered' | undefined }) {
  const { resolve } = usePrayerEvents(actions, error, resolvedAs)
  return [anna, ben, cora].flatMap((prayer) =>
    [true, false].map((resolved) => (
      <button key={`${prayer.id} ${resolved}`} type="button" onClick={() => void resolve(prayer, resolved)}>
        {resolved ? 'Resolve' : 'Reopen'} {prayer.person_name}
      </button>
    )),
  )
}

const page = (error: string | null = null, resolvedAs?: 'answered') => (
  <AnnouncementProvider>
    <Toggles error={error} resolvedAs={resolvedAs} />
  </AnnouncementProvider>
)
const press = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })))
const announced = () => screen.getByRole('status').textContent
const canUndo = () => screen.queryByRole('button', { name: 'Undo' }) !== null
const canRecord = () => screen.queryByRole('button', { name: 'Record answer' }) !== null
/** What was sent since the last call. */
const sent = () => {
  const changes = update.mock.calls.map(([prayer, fields]) => [prayer.id, fields.resolved])
  update.mockClear()
  return changes
}

describe('resolving', () => {
  it('is announced and can be undone', async () => {
    render(page())
    await press('Resolve Anna')
    expect(announced()).toBe('Anna marked as resolved')
    expect(sent()).toEqual([['anna', true]])
    await press('Undo')
    expect(sent()).toEqual([['anna', false]])
  })

  it('is undone together with what was resolved or reopened just before', async () => {
    render(page())
    await press('Resolve Anna')
    await press('Resolve Ben')
    expect(announced()).toBe('2 marked as resolved')
    await press('Reopen Cora')
    expect(announced()).toBe('2 marked as resolved, 1 as unresolved')
    sent()
    await press('Undo')
    expect(sent()).toEqual([
      ['anna', false],
      ['ben', false],
    ])
    // With its answer.
    expect(restore.mock.calls).toEqual([[cora]])
  })

  it('offers to record the answer of a single prayer', async () => {
    render(page())
    await press('Resolve Anna')
    await press('Record answer')
    expect(answerToRecord.get()).toBe('anna')
    expect(canUndo()).toBe(false)
  })

  it('does not offer to record an answer when it is not clear whose', async () => {
    render(page())
    await press('Reopen Cora')
    expect(canRecord()).toBe(false)
    await press('Resolve Anna')
    expect(canRecord()).toBe(false)
  })

  it('has nothing to undo when the same prayer was reopened', async () => {
    render(page())
    await press('Resolve Anna')
    await press('Reopen Anna')
    expect(announced()).toBe('Anna marked as unresolved')
    expect(canUndo()).toBe(false)
  })

  it('leaves the others to undo when one of them was reopened', async () => {
    render(page())
    await press('Resolve Anna')
    await press('Resolve Ben')
    await press('Reopen Ben')
    expect(announced()).toBe('1 marked as resolved')
    sent()
    await press('Undo')
    expect(sent()).toEqual([['anna', false]])
  })

  it('is not undone with what was announced earlier and is no longer shown', async () => {
    render(page())
    await press('Resolve Anna')
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    await press('Resolve Ben')
    expect(announced()).toBe('Ben marked as resolved')
    sent()
    await press('Undo')
    expect(sent()).toEqual([['ben', false]])
  })

  it('is called what the screen calls it', async () => {
    render(page(null, 'answered'))
    await press('Resolve Anna')
    expect(announced()).toBe('Anna marked as answered')
    await press('Resolve Ben')
    expect(announced()).toBe('2 marked as answered')
  })

  it('is announced as not saved if this device cannot keep it', async () => {
    update.mockResolvedValue({ success: false, error: 'Prayer not found' })
    render(page())
    await press('Resolve Anna')
    expect(announced()).toBe('Not saved: Anna marked as resolved')
    expect(canUndo()).toBe(false)
  })

  it('is announced as not saved if the server rejects it later', async () => {
    const { rerender } = render(page())
    await press('Resolve Anna')
    rerender(page('Failed to update prayer'))
    expect(announced()).toBe('Not saved: Anna marked as resolved')
    expect(canUndo()).toBe(false)
  })
})
