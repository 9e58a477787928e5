import { expect, it } from 'vitest'
import { UNREADABLE } from '#web/data/encryption-status.ts'
import { updatesByPrayer } from '#web/data/prayer-updates.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { samplePrayer, sampleUpdate } from '#web/data/sample-rows.test-data.ts'
import { findPrayers, foldInSlices, searchablePrayers } from './find-prayers.ts'
import { wordsOf } from './match.ts'

const anna = samplePrayer({ id: 'anna', person_name: 'Anna Nowak', note: 'Surgery\non Thursday' })
const ben = samplePrayer({ id: 'ben', person_name: 'Ben', note: 'Peace, for Anna’s sake', resolved: true })
const clara = samplePrayer({ id: 'clara', person_name: 'Clara', note: 'Visits Anna', category_id: 'work' })
const dora = samplePrayer({ id: 'dora', person_name: 'Dora Anna' })
const prayers = [clara, ben, dora, anna]
const updates = updatesByPrayer([
  sampleUpdate({ id: 'u2', prayer_id: 'clara', body: 'Home from the hospital' }),
  sampleUpdate({ id: 'u1', prayer_id: 'clara', body: 'Surgery went well' }),
])

function search(searched: readonly Prayer[], query: string, ...hidden: string[]) {
  return findPrayers(searchablePrayers(searched, updates), wordsOf(query), new Set(hidden))
}

function found(query: string) {
  const { open, answered } = search(prayers, query)
  return { open: open.map(({ prayer }) => prayer.id), answered: answered.map(({ prayer }) => prayer.id) }
}

it('finds open and answered prayers in their names and notes, names first', () => {
  expect(found('anna')).toEqual({ open: ['dora', 'anna', 'clara'], answered: ['ben'] })
})

it('finds prayers in their updates, and returns these with them', () => {
  expect(found('surgery')).toEqual({ open: ['clara', 'anna'], answered: [] })
  const [first] = search(prayers, 'surgery').open
  expect(first?.updates.map(({ id }) => id)).toEqual(['u2', 'u1'])
})

it('finds those in hidden categories last', () => {
  expect(search(prayers, 'surgery', 'work').open.map(({ prayer }) => prayer.id)).toEqual(['anna', 'clara'])
})

it('finds nothing in texts that cannot be read', () => {
  const unreadable = samplePrayer({ person_name: UNREADABLE, note: 'Rain' })
  expect(search([unreadable], 'prayer key').open).toEqual([])
  expect(search([unreadable], 'rain').open).toHaveLength(1)
})

it('finds answered prayers in their answers', () => {
  const answered = samplePrayer({ resolved: true, answer: 'A job in Łódź' })
  expect(search([answered], 'lodz').answered).toHaveLength(1)
})

it('finds only prayers in which all words match, each in any of the texts', () => {
  expect(found('clara surgery home anna')).toEqual({ open: ['clara'], answered: [] })
  expect(found('anna thursday')).toEqual({ open: ['anna'], answered: [] })
  expect(found('clara thursday')).toEqual({ open: [], answered: [] })
})

it('does not find words across the texts', () => {
  expect(found('nowaksurgery')).toEqual({ open: [], answered: [] })
})

it('finds nothing without words', () => {
  expect(found(' ')).toEqual({ open: [], answered: [] })
})

it('finds the new text of a prayer that has changed', () => {
  expect(search([anna], 'thursday').open).toHaveLength(1)
  expect(search([{ ...anna, note: 'Friday' }], 'thursday').open).toHaveLength(0)
})

it('finds a prayer in an update that was added', () => {
  expect(search([anna], 'scar').open).toHaveLength(0)
  const added = updatesByPrayer([sampleUpdate({ prayer_id: 'anna', body: 'Only a scar is left' })])
  expect(findPrayers(searchablePrayers([anna], added), ['scar'], new Set()).open).toHaveLength(1)
})

it('prepares rows in slices, until it is cancelled', async () => {
  const controller = new AbortController()
  let now = 0
  let pauses = 0
  const clock = { now: () => (now += 4) }
  const pause = async () => {
    pauses += 1
    if (pauses === 5) controller.abort()
  }
  const rows = Array.from({ length: 8 }, (_, index) => samplePrayer({ id: String(index) }))
  expect(await foldInSlices(rows, updates, controller.signal, pause, clock)).toBe(true)
  expect(pauses).toBe(2)
  expect(await foldInSlices([...rows, ...rows, ...rows], updates, controller.signal, pause, clock)).toBe(
    false,
  )
  expect(pauses).toBe(5)
})
