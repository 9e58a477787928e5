import fc from 'fast-check'
import { keyof } from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { FIRST_DAY, IMPORT_MAX_BYTES } from '#shared/limits.ts'
import { UserError } from '#web/lib/error-message.ts'
import { EXPORTED_ROWS, readExport, readExportFile } from './export-file.ts'
import { sampleExport } from './sample-export.test-data.ts'

type Sample = ReturnType<typeof sampleExport>

const PRAYER_FIELDS = keyof(EXPORTED_ROWS.prayers).options

/** The sample with changed fields in its first prayer or category. */
function withPrayer(fields: object): object {
  const sample = sampleExport()
  return { ...sample, prayers: [{ ...sample.prayers[0], ...fields }] }
}
function withCategory(fields: object): object {
  const sample = sampleExport()
  return { ...sample, categories: [{ ...sample.categories[0], ...fields }, sample.categories[1]] }
}

describe('a valid export', () => {
  it('is read unchanged', () => {
    const { format: _format, version: _version, ...content } = sampleExport()
    expect(readExport(sampleExport())).toEqual(content)
  })

  it('of version 1 has no updates, days and answers', () => {
    const old = {
      id: '00000000-0000-4000-8000-0000000000b2',
      category_id: '00000000-0000-4000-8000-0000000000a1',
      person_name: 'Boaz',
      note: null,
      resolved: true,
      created_at: '2026-02-01T00:00:00+00:00',
    }
    const missing = { due_on: null, due_repeats: null, answer: null, updates: [], prayed_days: [] }
    expect(readExport({ ...sampleExport(), version: 1, prayers: [old] }).prayers).toMatchObject([
      { ...old, ...missing },
    ])
  })

  it('of version 2 has no dates that repeat, and no days of categories', () => {
    const { categories, prayers } = sampleExport()
    const { due_repeats: _unknown, ...prayer } = prayers[0] ?? {}
    const old = { prayers: [prayer], categories: categories.map(({ pray_days: _days, ...each }) => each) }
    expect(readExport({ ...sampleExport(), version: 2, ...old })).toMatchObject({
      prayers: [{ ...prayer, due_repeats: null }],
      categories: old.categories.map(({ id }) => ({ id, pray_days: null })),
    })
  })

  it('may have unknown fields, which are ignored', () => {
    const read = readExport({ ...withPrayer({ colour: 'blue' }), extra: 1 })
    expect(read.prayers[0]).toEqual(sampleExport().prayers[0])
    expect(read).not.toHaveProperty('extra')
  })

  it('may have blanks around names, which are trimmed', () => {
    expect(readExport(withPrayer({ person_name: '  Ruth ' })).prayers[0]?.person_name).toBe('Ruth')
  })

  it('may have as many characters as the database allows, counted as the database does', () => {
    const note = '🕊'.repeat(10_000)
    expect(readExport(withPrayer({ note })).prayers[0]?.note).toBe(note)
  })

  it('may have no account', () => {
    expect(readExport({ ...sampleExport(), account: null }).account).toEqual({})
  })
})

describe('an invalid export is rejected with an error that names the place:', () => {
  const sample = sampleExport()
  it.each<[string, unknown]>([
    ['This is not an exported data file.', null],
    ['This is not an exported data file.', []],
    ['This is not an exported data file.', { prayers: [] }],
    [
      'This data file has an unknown version. It may have been exported by a newer release.',
      { ...sample, version: 4 },
    ],
    ['The file has no list of categories.', { ...sample, categories: {} }],
    ['The file has no list of prayers.', { ...sample, prayers: undefined }],
    ['The file: “exported_at” is not a date with a time.', { ...sample, exported_at: 'yesterday' }],
    ['Prayer 2 does not have the format of an export.', { ...sample, prayers: [sample.prayers[0], 'Boaz'] }],
    ['Prayer 1 does not have the format of an export.', { ...sample, prayers: [[sample.prayers[0]]] }],
    ['Prayer 1: “person_name” is empty.', withPrayer({ person_name: ' \u00a0' })],
    ['Prayer 1: “person_name” is missing.', withPrayerWithout('person_name')],
    ['Prayer 1: “person_name” is longer than 200 characters.', withPrayer({ person_name: 'x'.repeat(201) })],
    ['Prayer 1: “note” is longer than 10,000 characters.', withPrayer({ note: '🕊'.repeat(10_001) })],
    ['Prayer 1: “note” is not text.', withPrayer({ note: 7 })],
    ['Prayer 1: “note” contains a character that cannot be stored.', withPrayer({ note: 'a\0b' })],
    ['Prayer 1: “note” contains a character that cannot be stored.', withPrayer({ note: 'a\ud800b' })],
    ['Prayer 1: “resolved” is neither true nor false.', withPrayer({ resolved: 'yes' })],
    ['Prayer 1: “id” is not an id.', withPrayer({ id: '1' })],
    ['Prayer 1: “created_at” is not a date with a time.', withPrayer({ created_at: '2026-02-30T00:00:00Z' })],
    ['Prayer 1: “created_at” is not a date with a time.', withPrayer({ created_at: '2026-02-03' })],
    ['Prayer 1: “created_at” is not a date with a time.', withPrayer({ created_at: 1_770_000_000 })],
    ['Prayer 1: “due_on” is not a date.', withPrayer({ due_on: '2026-02-30' })],
    ['Prayer 1: “due_repeats” is neither “monthly” nor “yearly”.', withPrayer({ due_repeats: 'weekly' })],
    ['Prayer 1: “pray_days” is not a whole number from 1 to 127.', withPrayer({ pray_days: 128 })],
    ['Prayer 1: “answer” is longer than 10,000 characters.', withPrayer({ answer: 'x'.repeat(10_001) })],
    ['Prayer 1: “updates” is not a list of updates.', withPrayer({ updates: {} })],
    ['Prayer 1: “updates” is missing.', withPrayer({ updates: [{}] })],
    ['Prayer 1: “prayed_days” is not a date.', withPrayer({ prayed_days: ['2026-02-01T00:00:00Z'] })],
    ['Prayer 1: its category is not in the file.', withPrayer({ category_id: sample.prayers[0]?.id })],
    [
      'Prayer 2: its id occurs in the file twice.',
      { ...sample, prayers: [sample.prayers[0], sample.prayers[0]] },
    ],
    ['Category 2: its id occurs in the file twice.', withCategory({ id: sample.categories[1]?.id })],
    ['Category 1: “name” is longer than 100 characters.', withCategory({ name: 'x'.repeat(101) })],
    ['Category 1: “order” is not a whole number of at least 1.', withCategory({ order: 0 })],
    ['Category 1: “order” is not a whole number of at least 1.', withCategory({ order: 1.5 })],
    ['Category 1: “is_visible” is neither true nor false.', withCategory({ is_visible: null })],
    ['Category 1: “pray_days” is not a whole number from 1 to 127.', withCategory({ pray_days: 0 })],
  ])('%s', (message, content) => {
    expect(() => readExport(content)).toThrow(new UserError(message))
  })
})

function withPrayerWithout(field: keyof Sample['prayers'][number]): object {
  const sample = sampleExport()
  const entries = Object.entries(sample.prayers[0] ?? {}).filter(([name]) => name !== field)
  return { ...sample, prayers: [Object.fromEntries(entries)] }
}

/** The content or the `UserError`; any other error is a bug. */
function outcomeOf(content: unknown): ReturnType<typeof readExport> | UserError {
  try {
    return readExport(content)
  } catch (failure) {
    if (failure instanceof UserError) return failure
    throw failure
  }
}

describe('any content', () => {
  it('is either read or rejected with a message for the user', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const outcomes = [
          value,
          { ...sampleExport(), prayers: value },
          { ...sampleExport(), categories: value },
        ]
        expect(outcomes.map(outcomeOf)).toHaveLength(3)
      }),
      { seed: 20260301, numRuns: 500 },
    )
  })

  it('of a field is either rejected or kept unchanged', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PRAYER_FIELDS), fc.jsonValue({ maxDepth: 1 }), (field, value) => {
        const outcome = outcomeOf(withPrayer({ [field]: value }))
        const read = outcome instanceof UserError ? value : outcome.prayers[0]?.[field]
        const isTrimmed = typeof value === 'string' && field === 'person_name' && read !== value
        expect(read).toEqual(isTrimmed ? value.trim() : value)
      }),
      { seed: 20260301, numRuns: 500 },
    )
  })

  it('outside the limits of dates is moved to the nearest: older versions have exported such dates', () => {
    const prayer = { due_on: '0026-03-02', resting_until: '9999-12-31', created_at: '0999-12-31T23:59:59Z' }
    const [read] = readExport(withPrayer(prayer)).prayers
    expect(read).toMatchObject({
      due_on: '1900-01-01',
      resting_until: '2199-12-31',
      created_at: '1900-01-01T00:00:00Z',
    })
  })

  it('that was exported is imported unchanged', () => {
    const time = fc
      .date({
        min: new Date(FIRST_DAY),
        max: new Date('9999-12-31T00:00:00Z'),
        noInvalidDate: true,
      })
      .map((date) => date.toISOString())
    const text = (maxLength: number) =>
      fc.string({ unit: 'grapheme', maxLength }).filter((value) => !value.includes('\0'))
    const prayer = fc.record({
      person_name: text(30).map((value) => `.${value}.`),
      note: fc.option(text(90)),
      created_at: time,
      resolved: fc.boolean(),
    })
    fc.assert(
      fc.property(prayer, (written) => {
        const [read] = readExport(JSON.parse(JSON.stringify(withPrayer(written)))).prayers
        expect(read).toMatchObject(written)
      }),
      { seed: 20260301, numRuns: 500 },
    )
  })
})

describe('a chosen file', () => {
  const UNREADABLE = new UserError('This is not an exported data file: it cannot be read.')

  it('is read, with or without a byte order mark', async () => {
    const text = JSON.stringify(sampleExport())
    for (const content of [text, `\ufeff${text}`])
      expect((await readExportFile(new Blob([content]))).prayers).toHaveLength(2)
  })

  it.each([
    ['empty', ''],
    ['not JSON', 'Your data in Intercede'],
    ['truncated', JSON.stringify(sampleExport()).slice(0, -1)],
    ['not text', new Uint8Array([0x22, 0xff, 0x22])],
  ])('that is %s is rejected without quoting it', async (_description, content) => {
    await expect(readExportFile(new Blob([content]))).rejects.toThrow(UNREADABLE)
  })

  it('that is too large to be sent is rejected without reading it', async () => {
    const large = new Blob([new Uint8Array(IMPORT_MAX_BYTES + 1)])
    const read = vi.spyOn(large, 'arrayBuffer')
    await expect(readExportFile(large)).rejects.toThrow(new UserError('This file is larger than 25 MB.'))
    expect(read).not.toHaveBeenCalled()
  })
})
