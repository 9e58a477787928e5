import fc from 'fast-check'
import { expect, it } from 'vitest'
import { excerptsOf, partsOf } from './excerpts.ts'
import { wordsOf } from './match.ts'

const SEED = 14

/** The lines that are shown, with their matches in brackets. */
function shown(query: string, name: string, ...texts: readonly (string | [label: string, text: string])[]) {
  const prayerTexts = texts.map((text) =>
    typeof text === 'string'
      ? { label: null, text, entry: null }
      : { label: text[0], text: text[1], entry: null },
  )
  return excerptsOf(name, prayerTexts, wordsOf(query)).map(({ label, parts }) => {
    const line = parts.map((part) => (part.isMatch ? `[${part.text}]` : part.text)).join('')
    return label === null ? line : `${label}: ${line}`
  })
}

it('divides a text into what matches and what does not', () => {
  expect(partsOf('Anna, José and Ann', ['an', 'jose'])).toEqual([
    { start: 0, text: 'An', isMatch: true },
    { start: 2, text: 'na, ', isMatch: false },
    { start: 6, text: 'José', isMatch: true },
    { start: 10, text: ' ', isMatch: false },
    { start: 11, text: 'an', isMatch: true },
    { start: 13, text: 'd ', isMatch: false },
    { start: 15, text: 'An', isMatch: true },
    { start: 17, text: 'n', isMatch: false },
  ])
  expect(partsOf('', ['an'])).toEqual([])
})

it('shows the matching lines of all texts, with what they are', () => {
  const note = 'First line\n  Peace for Anna\n\nLast line'
  expect(shown('anna', 'Anna', note, ['Answer', 'Home, with\nAnna'])).toEqual([
    'Peace for [Anna]',
    'Answer: [Anna]',
  ])
})

it('shows the beginning of the note if only the name matches', () => {
  expect(shown('anna', 'Anna', '\nSurgery\non Thursday')).toEqual(['Surgery'])
  expect(shown('anna', 'Anna')).toEqual([])
})

it('shows three lines at most, and one for each word before others', () => {
  const note = 'peace 1\npeace 2\npeace 3\npeace 4\njoy 5'
  expect(shown('peace', 'Anna', note)).toEqual(['[peace] 1', '[peace] 2', '[peace] 3'])
  expect(shown('peace joy', 'Anna', note)).toEqual(['[peace] 1', '[peace] 2', '[joy] 5'])
  expect(shown('peace joy', 'Joy', note)).toEqual(['[peace] 1', '[peace] 2', '[peace] 3'])
  expect(shown('a b c d e', '', 'a\nb\nc\nd\ne')).toEqual(['[a]', '[b]', '[c]'])
})

it('shortens a long line to what surrounds its first match, between words', () => {
  const words = 'the doctors will know more after Easter '.repeat(20)
  const [line = ''] = shown('surgery', 'Anna', `${words}surgery went well ${words}surgery`)
  expect(line).toMatch(/^… doctors will know more after Easter \[surgery\] went well the doctors .* more …$/)
  expect(line.length).toBeLessThan(180)
  const [last] = shown('surgery', 'Anna', `${words}surgery`)
  expect(last).toBe('… doctors will know more after Easter [surgery]')
})

it('leaves out no short beginning', () => {
  const rest = 'after Easter '.repeat(20)
  const [line] = shown('surgery', 'Anna', `The doctors will know more about her surgery ${rest}`)
  expect(line).toMatch(/^The doctors/)
})

it('shortens a line without spaces, but never divides a character', () => {
  for (const offset of [0, 1]) {
    const [line = ''] = shown('!', 'Anna', `${'a'.repeat(offset)}${'🙏'.repeat(200)}!${'🙏'.repeat(200)}`)
    expect(line).toMatch(/^… (🙏)+\[!\](🙏)+ …$/u)
  }
})

it('shows only what the line contains, and every match of a short line', () => {
  const character = fc.constantFrom('a', 'b', ' ', 'é', '🙏', '.')
  const text = fc.array(character, { maxLength: 400 }).map((characters) => characters.join(''))
  fc.assert(
    fc.property(text, (line) => {
      const [excerpt] = excerptsOf('', [{ label: null, text: line, entry: null }], ['a'])
      const parts = excerpt?.parts.filter((part) => !part.text.includes('…')) ?? []
      for (const part of parts) expect(line.trim().slice(part.start).startsWith(part.text)).toBe(true)
      // Throws if a character was divided.
      encodeURIComponent(parts.map((part) => part.text).join(''))
    }),
    { seed: SEED, numRuns: 500 },
  )
})
