import { expect, it } from 'vitest'
import { newlyResolved } from './newly-resolved.ts'
import { samplePrayer } from './sample-prayer.test-data.ts'

const open = samplePrayer({ id: 'a' })
const resolved = { ...open, resolved: true }

it('is a prayer that was open before', () => {
  expect(newlyResolved([open], [resolved])).toEqual(['a'])
})

it('is none that was resolved before, came resolved, or is open', () => {
  expect(newlyResolved([resolved], [resolved])).toEqual([])
  expect(newlyResolved([], [resolved])).toEqual([])
  expect(newlyResolved([resolved], [open])).toEqual([])
})
