import { act, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ActionResult } from '#web/data/make-change.ts'
import type { Prayer, PrayerFields } from '#web/data/prayers.ts'
import { samplePrayer } from '#web/data/sample-rows.test-data.ts'
import { answerToRecord } from '#web/lib/navigation/navigation-state.ts'
import { press } from '#web/test-rendering.tsx'
import { AnnouncementProvider } from '#web/ui/announcements.tsx'
import { usePrayerEvents } from './use-prayer-events.ts'

const anna = samplePrayer({ id: 'anna', person_name: 'Anna' })
const ben = samplePrayer({ id: 'ben', person_name: 'Ben' })
const cora = samplePrayer({ id: 'cora', person_name: 'Cora', resolved: true })

const restore = vi.fn<(shown: Prayer) => Promise<ActionResult>>()
const change = vi.fn<(shown: Prayer, fields: Partial<PrayerFields>) => Promise<ActionResult>>()
const succeed = () => Promise.resolve({ success: true } as const)
const actions = { add: succeed, change, restore, remove: succeed, markPrayed: succeed, unmarkPrayed: succeed }

beforeEach(() => {
  vi.useFakeTimers()
  change.mockImplementation(succeed)
  restore.mockImplementation(succeed)
  answerToRecord.set(null)
})

function Toggles({ error }: { error: string | null }) {
  const { resolve } = usePrayerEvents(actions, error)
  return [anna, ben, cora].flatMap((prayer) =>
    [true, false].map((resolved) => (
      <button key={`${prayer.id} ${resolved}`} type="button" onClick={() => void resolve(prayer, resolved)}>
        {resolved ? 'Resolve' : 'Reopen'} {prayer.person_name}
      </button>
    )),
  )
}

/** Resolves and reopens prayers, one after the other. Returns what makes an error turn up. */
async function show(names: readonly string[]) {
  const page = (error: string | null) => (
    <AnnouncementProvider>
      <Toggles error={error} />
    </AnnouncementProvider>
  )
  const { rerender } = render(page(null))
  for (const name of names) await press(name)
  return (error: string) => rerender(page(error))
}

const announced = () => screen.getByRole('status').textContent
const canUndo = () => screen.queryByRole('button', { name: 'Undo' }) !== null
/** The prayers that are as they were before, after undoing what was announced. */
async function undo() {
  change.mockClear()
  await press('Undo')
  expect(change).not.toHaveBeenCalled()
  return restore.mock.calls.map(([prayer]) => prayer)
}

describe('resolving', () => {
  it('is saved', async () => {
    await show(['Resolve Anna'])
    expect(change).toHaveBeenCalledExactlyOnceWith(anna, { resolved: true })
  })

  it.each([
    ['Anna: answered', ['Resolve Anna'], [anna]],
    ['2 answered', ['Resolve Anna', 'Resolve Ben'], [anna, ben]],
    ['2 answered, 1 reopened', ['Resolve Anna', 'Resolve Ben', 'Reopen Cora'], [anna, ben, cora]],
    ['1 answered', ['Resolve Anna', 'Resolve Ben', 'Reopen Ben'], [anna]],
  ])('is announced as “%s” after “%j”, and undone together', async (text, names, restored) => {
    await show(names)
    expect(announced()).toBe(text)
    expect(await undo()).toEqual(restored)
  })

  it('is not undone with what was announced earlier and is no longer shown', async () => {
    await show(['Resolve Anna'])
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    await press('Resolve Ben')
    expect(announced()).toBe('Ben: answered')
    expect(await undo()).toEqual([ben])
  })

  it('has nothing to undo when the same prayer was reopened', async () => {
    await show(['Resolve Anna', 'Reopen Anna'])
    expect(announced()).toBe('Anna: reopened')
    expect(canUndo()).toBe(false)
  })

  it('offers to record the answer of a single prayer, and then to undo it again', async () => {
    await show(['Resolve Anna', 'Record answer'])
    expect(answerToRecord.get()?.prayerId).toBe('anna')
    expect(canUndo()).toBe(false)
    act(() => answerToRecord.get()?.announceAgain?.())
    expect(announced()).toBe('Anna: answered')
    expect(await undo()).toEqual([anna])
  })

  it.each([[['Reopen Cora']], [['Reopen Cora', 'Resolve Anna']]])(
    'does not offer to record an answer when it is not clear whose: %j',
    async (names) => {
      await show(names)
      expect(screen.queryByRole('button', { name: 'Record answer' })).toBeNull()
    },
  )

  it.each([
    ['this device cannot keep it', { success: false, error: 'Prayer not found' } as const, null],
    ['the server rejects it later', { success: true } as const, 'Failed to update prayer'],
  ])('is announced as not saved if %s', async (_, result, error) => {
    change.mockResolvedValue(result)
    const setError = await show(['Resolve Anna'])
    if (error !== null) setError(error)
    expect(announced()).toBe('Not saved: Anna: answered')
    expect(canUndo()).toBe(false)
  })
})
