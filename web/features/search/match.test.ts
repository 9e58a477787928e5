import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold } from '#web/lib/fold.ts'
import { findWord, matchesIn, wordsOf } from './match.ts'

const SEED = 14
/** Words in several scripts, spaces, punctuation, emoji, lone accents, and any other character. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'anna ',
        'José',
        'e\u0301',
        '\u0301',
        'ß',
        'İ',
        'Σ',
        '👨‍👩‍👧',
        '🙏🏽',
        ' ',
        '\n',
        '100%',
        '韓国',
        'กำ',
        'हिन्दी',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

/** The matching parts of a text. */
function highlighted(query: string, within: string): string[] {
  return matchesIn(within, wordsOf(query)).map(({ start, end }) => within.slice(start, end))
}

describe('a search ignores case and accents', () => {
  it.each([
    ['jose', 'José'],
    ['JOSÉ', 'jose'],
    ['josé', 'JOSE\u0301'],
    ['lukasz', 'Łukasz'],
    ['øyvind', 'Oyvind'],
    ['aegir', 'Ægir'],
    ['strasse', 'Straße'],
    ['STRASSE', 'straße'],
    ['thora', 'Þóra'],
    ['đorđe', 'Dorde'],
    ['istanbul', 'İstanbul'],
    ['ISIK', 'ışık'],
    ['nguyen', 'Nguyễn'],
    // Greek with a final sigma, and Cyrillic
    ['ΜΑΡΚΟΣ', 'Μάρκος'],
    ['алена', 'Алёна'],
    // Ligatures and wide letters
    ['file', 'ﬁle'],
    ['anna', 'Ａｎｎａ'],
    // Typographic apostrophes and hyphens
    ["o'neil", 'O’Neil'],
    ['anne-marie', 'Anne‑Marie'],
    // Hebrew points; Arabic vowels, hamza, lengthening and final forms
    ['שלום', 'שָׁלוֹם'],
    ['محمد', 'مُحَمَّد'],
    ['احمد', 'أحـمد'],
    ['فاطمه', 'فاطمة'],
    ['علي', 'على'],
    // Persian, with and without the invisible joiner
    ['میخواهم', 'مي‌خواهم'],
    // An emoji with and without its colour variant
    ['❤', '❤️'],
  ])('"%s" finds "%s"', (query, found) => {
    expect(highlighted(query, found)).toEqual([found])
  })

  it.each([
    // These marks distinguish letters.
    ['か', 'が'.normalize('NFC')],
    ['की', 'कि'],
    ['คำ', 'คา'],
  ])('but "%s" does not find "%s"', (query, other) => {
    expect(fold(query)).not.toBe(fold(other))
  })
})

describe('a word matches at the start of a word', () => {
  it.each([
    ['an', 'Anna and Susan', ['An', 'an']],
    ['anna', 'Susanna', []],
    ['luc', 'Jean-Luc', ['Luc']],
    ['neil', 'O’Neil', ['Neil']],
    ['25', '5:25, 125', ['25']],
    ['anna clara', 'Anna, Clara and Claus', ['Anna', 'Clara']],
    ['a an', 'Anna', ['An']],
    ['an an AN', 'an', ['an']],
    // Punctuation and symbols match wherever they are.
    ['%', '100% of 50 %', ['%', '%']],
    ['100%', '100% 1100%', ['100%']],
    ['(', 'Anna (nurse)', ['(']],
    ['🙏', 'Amen🙏🏽!', ['🙏']],
    ['.*', 'any .* pattern', ['.*']],
    ['\\', 'a\\b', ['\\']],
    // Scripts without spaces between words
    ['国', '韓国', ['国']],
    ['きょう', 'さんきょう', ['きょう']],
    ['tower', '東京Tower', ['Tower']],
    ['지', '김지우', []],
    ['기', '김지우', ['김']],
    ['กา', 'มากาโร', ['กา']],
    // The article is part of the word.
    ['كتاب', 'الكتاب', []],
    ['ال', 'الكتاب', ['ال']],
    // Combining accents belong to the match.
    ['jos', 'Jos\u00e9', ['Jos']],
    ['jose', 'Jose\u0301 Jose\u0301s', ['Jose\u0301', 'Jose\u0301']],
    ['aa', 'aaaa', ['aa']],
  ])('"%s" in "%s"', (query, within, parts) => {
    expect(highlighted(query, within)).toEqual(parts)
  })
})

describe('the words of a query', () => {
  it.each([
    ['', []],
    ['  \n ', []],
    ['\u0301', []],
    ['  Anna\u00a0 José ', ['anna', 'jose']],
    ["100% O'Neil", ['100%', "o'neil"]],
  ])('"%s"', (query, words) => {
    expect(wordsOf(query)).toEqual(words)
  })
})

describe('any text', () => {
  it('is found by the beginning of each of its words, whatever their case', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (within, position, length) => {
        const words = within.split(/\s+/).filter(Boolean)
        const word = words[position % words.length] ?? ''
        const beginning = Array.from(word)
          .slice(0, 1 + (length % 5))
          .join('')
        for (const query of wordsOf(beginning)) expect(findWord(fold(within), query)).not.toBe(-1)
      }),
      { seed: SEED, numRuns: 500 },
    )
  })

  it('has matches that are in order, do not overlap, and fold to the words', () => {
    fc.assert(
      fc.property(text, text, (within, query) => {
        const words = wordsOf(query)
        const ranges = matchesIn(within, words)
        let end = 0
        for (const range of ranges) {
          expect(range.start).toBeGreaterThanOrEqual(end)
          expect(range.end).toBeGreaterThan(range.start)
          expect(words.some((word) => fold(within.slice(range.start, range.end)).includes(word))).toBe(true)
          end = range.end
        }
        expect(end).toBeLessThanOrEqual(within.length)
        const isFound = words.some((word) => findWord(fold(within), word) >= 0)
        expect(ranges.length > 0).toBe(isFound)
      }),
      { seed: SEED, numRuns: 500 },
    )
  })

  it('folds to the same text, folded once or twice', () => {
    fc.assert(
      fc.property(text, (original) => {
        expect(fold(fold(original))).toBe(fold(original))
        expect(fold(original.normalize('NFC'))).toBe(fold(original.normalize('NFD')))
      }),
      { seed: SEED, numRuns: 500 },
    )
  })
})
