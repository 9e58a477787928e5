import { expect, it } from 'vitest'
import { groupByCategory } from './prayers-by-category.ts'
import { samplePrayer } from './sample-prayer.test-data.ts'

const anna = samplePrayer({ id: '1', category_id: 'family' })
const ben = samplePrayer({ id: '2', category_id: 'friends' })
const cora = samplePrayer({ id: '3', category_id: 'family', resolved: true })

it('each category gets its prayers, in their order', () => {
  expect([...groupByCategory([anna, ben, cora])]).toEqual([
    ['family', [anna, cora]],
    ['friends', [ben]],
  ])
})
