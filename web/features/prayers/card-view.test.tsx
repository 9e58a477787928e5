import { describe, expect, it } from 'vitest'
import type { Prayer } from '#web/data/prayers.ts'
import { samplePrayer, samplePrayers } from '#web/data/sample-rows.test-data.ts'
import { type CardView, initialView, ROWS_PER_CARD, shownPrayers, withPrayers } from './card-view.ts'

const ids = (view: CardView) => {
  const { open, resolved } = shownPrayers(view)
  return [...open, ...resolved].map(({ id }) => id)
}
const without = (prayers: readonly Prayer[], id: string) => prayers.filter((prayer) => prayer.id !== id)
const withResolved = (prayers: readonly Prayer[], id: string, resolved: boolean) =>
  prayers.map((prayer) => (prayer.id === id ? { ...prayer, resolved } : prayer))

describe('a card', () => {
  it('shows its open prayers, and its resolved ones on demand below them', () => {
    const view = initialView([samplePrayer({ id: 'a', resolved: true }), samplePrayer({ id: 'b' })])
    expect(ids(view)).toEqual(['b'])
    expect(ids({ ...view, resolvedShown: true })).toEqual(['b', 'a'])
  })

  it('shows the first 25 open and the first 25 resolved prayers', () => {
    const view = initialView([
      ...samplePrayers(83, 'open'),
      ...samplePrayers(40, 'resolved', { resolved: true }),
    ])
    expect(ids(view)).toEqual(samplePrayers(25, 'open').map(({ id }) => id))
    expect(ids({ ...view, resolvedShown: true })).toHaveLength(50)
    expect(ids({ ...view, allOpenShown: true })).toHaveLength(83)
    expect(ids({ ...view, resolvedShown: true, allResolvedShown: true })).toHaveLength(65)
  })

  it('stays expanded while its prayers change', () => {
    const prayers = samplePrayers(83, 'open')
    const view = { ...initialView(prayers), allOpenShown: true }
    expect(ids(withPrayers(view, without(prayers, 'open 5')))).toHaveLength(82)
  })

  it('hides resolved prayers again when there are none left', () => {
    const prayers = [samplePrayer({ id: 'a', resolved: true })]
    const view = { ...initialView(prayers), resolvedShown: true }
    expect(withPrayers(view, withResolved(prayers, 'a', false)).resolvedShown).toBe(false)
    expect(withPrayers(view, [...prayers]).resolvedShown).toBe(true)
  })
})

describe('a prayer that was just resolved', () => {
  const prayers = [samplePrayer({ id: 'a' }), samplePrayer({ id: 'b' })]

  it('stays in its place among the open ones for a moment', () => {
    const view = withPrayers(initialView(prayers), withResolved(prayers, 'a', true))
    expect([...view.justResolved]).toEqual(['a'])
    expect(ids(view)).toEqual(['a', 'b'])
    const shown = { ...view, resolvedShown: true }
    expect(ids(shown)).toEqual(['a', 'b'])
    expect(ids({ ...shown, justResolved: new Set() })).toEqual(['b', 'a'])
  })

  it('is not one that was resolved before, was received as resolved, or was reopened', () => {
    const resolved = withResolved(prayers, 'a', true)
    const justResolved = (before: readonly Prayer[], after: readonly Prayer[]) =>
      withPrayers(initialView(before), after).justResolved.size
    expect(justResolved(resolved, [...resolved])).toBe(0)
    expect(justResolved([], resolved)).toBe(0)
    expect(justResolved(resolved, prayers)).toBe(0)
  })
})

describe('a card with more than 25 prayers', () => {
  const prayers = [...samplePrayers(40, 'open'), samplePrayer({ id: 'old', resolved: true })]
  const view = initialView(prayers)

  it('keeps the last row when a prayer is added before it', () => {
    const added = withPrayers(view, [samplePrayer({ id: 'new' }), ...prayers])
    expect(ids(added)).toEqual(['new', ...samplePrayers(25, 'open').map(({ id }) => id)])
  })

  it('shows the next prayer when one is deleted', () => {
    const deleted = withPrayers(view, without(prayers, 'open 1'))
    expect(ids(deleted)).toHaveLength(ROWS_PER_CARD)
    expect(ids(deleted).at(-1)).toBe('open 26')
  })

  it('keeps the row of a prayer that is reopened', () => {
    const reopened = withPrayers({ ...view, resolvedShown: true }, withResolved(prayers, 'old', false))
    expect(ids(reopened).at(-1)).toBe('old')
  })

  it('shows a prayer again when resolving it is undone', () => {
    const added = withPrayers(view, [samplePrayer({ id: 'new' }), ...prayers])
    const resolved = withPrayers(added, withResolved(added.prayers, 'open 25', true))
    const hidden = { ...resolved, justResolved: new Set<string>() }
    expect(ids(hidden)).not.toContain('open 25')
    expect(ids(withPrayers(hidden, added.prayers))).toContain('open 25')
  })

  it('shows a prayer that was moved into it', () => {
    const moved = withPrayers(view, [...prayers, samplePrayer({ id: 'moved' })])
    expect(ids(moved).at(-1)).toBe('moved')
  })

  it('does not grow when several prayers arrive at once, from an import or with the next page', () => {
    expect(ids(withPrayers(view, [...prayers, ...samplePrayers(2, 'imported')]))).toHaveLength(ROWS_PER_CARD)
  })
})
