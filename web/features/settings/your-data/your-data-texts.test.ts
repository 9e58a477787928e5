import { describe, expect, it } from 'vitest'
import { deletionText, importedText, importPreviewTexts } from './your-data-texts.ts'

const counts = (
  prayers_added: number,
  categories_added: number,
  prayers_known: number,
  categories_known: number,
  updates_added = 0,
  prayed_days_added = 0,
) => ({
  prayers_added,
  categories_added,
  prayers_known,
  categories_known,
  updates_added,
  prayed_days_added,
})

describe('the preview of an import', () => {
  it.each([
    [counts(12, 3, 0, 0), '12 prayers and 3 categories will be added.', null],
    [
      counts(1, 1, 1, 0),
      '1 prayer and 1 category will be added.',
      '1 prayer is here already and stays as it is.',
    ],
    [
      counts(5000, 0, 2, 1),
      '5,000 prayers will be added.',
      '2 prayers and 1 category are here already and stay as they are.',
    ],
    [counts(0, 2, 0, 0), '2 categories will be added.', null],
    [counts(12, 3, 0, 0, 1, 60), '12 prayers, 1 update and 3 categories will be added.', null],
    [
      counts(0, 0, 2, 1, 2),
      '2 updates will be added.',
      '2 prayers and 1 category are here already and stay as they are.',
    ],
    [
      counts(0, 0, 1, 0, 0, 3),
      'Days on which you prayed will be added.',
      '1 prayer is here already and stays as it is.',
    ],
    [counts(0, 0, 4, 1), null, 'Everything in this file is here already.'],
    [counts(0, 0, 0, 0), null, 'There is nothing in this file.'],
  ])('%j', (given, added, known) => {
    expect(importPreviewTexts(given)).toEqual({ added, known })
  })
})

describe('the result of an import', () => {
  it.each([
    [counts(12, 3, 9, 9), '12 prayers and 3 categories added'],
    [counts(0, 0, 4, 1), 'Everything was here already'],
  ])('%j', (given, text) => {
    expect(importedText(given)).toBe(text)
  })
})

it.each([
  [12, 3, 'with 12 prayers in 3 categories,'],
  [1, 1, 'with 1 prayer in 1 category,'],
  [0, 2, 'with its 2 categories, which hold no prayers,'],
  [0, 0, 'with nothing in it,'],
])(
  'the confirmation before deleting %i prayers in %i categories states both numbers',
  (prayers, categories, what) => {
    expect(deletionText({ prayers, categories }, 'ruth@example.org')).toBe(
      `This deletes the account ruth@example.org ${what} and signs you out on every device. This action cannot be undone.`,
    )
  },
)
