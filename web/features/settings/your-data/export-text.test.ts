import { expect, it } from 'vitest'
import { exportAsText, type TextContent } from './export-text.ts'
import { samplePrayer } from '#web/data/sample-rows.test-data.ts'
import { sampleExport } from './sample-export.test-data.ts'

const OPTIONS = { productName: 'Intercede', timeZone: 'Europe/London' }

/** A sample, in which Ruth was prayed for on two days. */
function sampleContent(): TextContent {
  const sample = sampleExport()
  const prayers = sample.prayers.map(({ prayed_days: days, ...prayer }) => ({
    ...prayer,
    times_prayed: days.length,
    last_prayed_on: days.at(-1) ?? null,
  }))
  return { ...sample, prayers }
}

it('lists each category with its open and resolved prayers, and nothing else', () => {
  expect(exportAsText(sampleContent(), { ...OPTIONS, locale: 'en-GB' })).toBe(`Your prayers in Intercede
=========================
Exported on 1 March 2026 at 09:00


Family
------
Since 2 January 2026

Open (1)

  Ruth · 3 February 2026
    Peace before Thursday.

    And after it.

    For 5 March 2026, every month
    Every Monday, Thursday
    Paused until 20 February 2026
    Prayed on 2 days, last on 5 February 2026

    10 February 2026
    The date is set.

    Answered on 11 February 2026, reopened on 12 February 2026
    It went well.
    Thanks be to God.

Resolved (1)

  Boaz · 1 February 2026

    Answered on 27 February 2026
    The field was redeemed.


Work (hidden)
-------------
Since 3 January 2026
Every Tuesday, Friday

No prayers
`)
})

it('formats dates for the locale', () => {
  const text = exportAsText(sampleContent(), { ...OPTIONS, locale: 'de-DE' })
  expect(text).toContain('Exported on 1. März 2026 um 09:00')
  expect(text).toContain('Ruth · 3. Februar 2026')
})

it('contains every prayer and every line of a note', () => {
  const sample = sampleContent()
  const notes = ['one\r\ntwo', 'three\rfour', '', '   ']
  const prayers = notes.map((note, index) => {
    const category_id = sample.categories[1]?.id ?? ''
    const prayer = samplePrayer({
      category_id,
      person_name: `Person ${String(index)}`,
      note,
      resolved: index > 1,
    })
    return Object.assign(prayer, { updates: [] })
  })
  const text = exportAsText({ ...sample, prayers }, { ...OPTIONS, locale: 'en-GB' })
  for (const expected of [
    'Person 0',
    '    one\n    two',
    'Person 1',
    '    three\n    four',
    'Person 2',
    'Person 3',
  ])
    expect(text).toContain(expected)
  expect(text).not.toContain('\r')
})

it('shows calendar days as they are, in every time zone', () => {
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago'])
    expect(exportAsText(sampleContent(), { ...OPTIONS, timeZone, locale: 'en-GB' })).toContain(
      'Answered on 27 February 2026',
    )
})
