import { expect, it } from 'vitest'
import { countResolved, prayersInView } from './resolved-in-view.ts'
import { samplePrayer } from './sample-prayer.test-data.ts'

const open = samplePrayer({ id: 'open' })
const resolved = samplePrayer({ id: 'resolved', resolved: true })
const prayers = [resolved, open]
const none: ReadonlySet<string> = new Set()

it('resolved prayers are hidden unless asked for', () => {
  expect(prayersInView(prayers, { shown: false, justResolved: none })).toEqual([open])
  expect(prayersInView(prayers, { shown: true, justResolved: none })).toBe(prayers)
})

it('a prayer resolved just now keeps its place while it has its moment', () => {
  expect(prayersInView(prayers, { shown: false, justResolved: new Set(['resolved']) })).toEqual(prayers)
})

it('counts the resolved ones', () => {
  expect(countResolved(prayers)).toBe(1)
  expect(countResolved([open])).toBe(0)
})
