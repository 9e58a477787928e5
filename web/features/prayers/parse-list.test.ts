import { describe, expect, it } from 'vitest'
import { parseList, prayersIn } from './parse-list.ts'

/** The names and details of a list. */
const read = (text: string) => prayersIn(parseList(text)).map(({ person_name, note }) => [person_name, note])
const problems = (text: string) => parseList(text).map(({ problem }) => problem)

describe('a line', () => {
  it.each([
    ['Anna', 'Anna', null],
    ['  Anna  ', 'Anna', null],
    ['Anna: a new job', 'Anna', 'a new job'],
    ['Anna:a new job', 'Anna', 'a new job'],
    ['Anna :', 'Anna', null],
    ['Anna: Thursday: the operation', 'Anna', 'Thursday: the operation'],
    ['Anna: at 12:30 in the clinic', 'Anna', 'at 12:30 in the clinic'],
    ['The 10:30 service', 'The 10:30 service', null],
    ['The 10:30 service: new people', 'The 10:30 service', 'new people'],
    ['安娜：新工作', '安娜', '新工作'],
    ['Anna： a new job', 'Anna', 'a new job'],
    // Web addresses
    ['https://example.org/anna', 'https://example.org/anna', null],
    ['Anna: see https://example.org/a:b', 'Anna', 'see https://example.org/a:b'],
    ['Anna https://example.org:8443/a:b', 'Anna https://example.org:8443/a:b', null],
    ['https://example.org: their work', 'https://example.org', 'their work'],
    // Bullets and numbers
    ['- Anna: a new job', 'Anna', 'a new job'],
    ['-Anna', 'Anna', null],
    ['– Anna', 'Anna', null],
    ['* Anna', 'Anna', null],
    ['•\tAnna', 'Anna', null],
    ['- [ ] Anna', 'Anna', null],
    ['☐ Anna', 'Anna', null],
    ['1. Anna', 'Anna', null],
    ['1.Anna', 'Anna', null],
    ['12) Anna: a new job', 'Anna', 'a new job'],
    ['(3) Anna', 'Anna', null],
    ['3: Anna: a new job', 'Anna', 'a new job'],
    ['1、安娜', '安娜', null],
    ['• 1. Anna', 'Anna', null],
    // What only looks like one
    ['24/7 prayer', '24/7 prayer', null],
    ['3 John', '3 John', null],
    ['2.5 years without work', '2.5 years without work', null],
    ['-5 degrees', '-5 degrees', null],
    ['7:30 group', '7:30 group', null],
    ['1000. visitor', '1000. visitor', null],
  ])('“%s” is for “%s”, with the details %j', (line, name, details) => {
    expect(read(line)).toEqual([[name, details]])
  })
})

it.each(['\n', '\r\n', '\r', '\u2028'])('lines may end with %j', (end) => {
  expect(read(['Anna', 'Ben: work', ''].join(end))).toEqual([
    ['Anna', null],
    ['Ben', 'work'],
  ])
})

it('empty lines have no prayer, and those at the end are left out', () => {
  const lines = parseList('\nAnna\n  \n-\nBen\n\n \n')
  expect(lines.map(({ prayer }) => prayer?.person_name ?? null)).toEqual([null, 'Anna', null, null, 'Ben'])
  expect(lines.every(({ problem }) => problem === null)).toBe(true)
  expect(parseList(' \n\n')).toEqual([])
})

it('says why a line cannot be added', () => {
  expect(problems(`${'x'.repeat(200)}: ${'y'.repeat(10_000)}`)).toEqual([null])
  const long = ['x'.repeat(201), `${'x'.repeat(201)}: work`, `Anna: ${'y'.repeat(10_001)}`, '- : work']
  expect(problems(long.join('\n'))).toEqual([
    'Too long for a name: it can have 200 characters. Details come after a colon.',
    'The name is too long: it can have 200 characters.',
    'The details are too long: they can have 10,000 characters.',
    'There is no name before the colon.',
  ])
  expect(read(long.join('\n'))).toEqual([])
})

it('reads lines of any length', () => {
  const lines = ['-'.repeat(100_000), 'x'.repeat(1_000_000), `Anna: ${'y'.repeat(1_000_000)}`]
  expect(problems(lines.join('\n'))).toEqual([
    null,
    'Too long for a name: it can have 200 characters. Details come after a colon.',
    'The details are too long: they can have 10,000 characters.',
  ])
})

it('knows where each line is', () => {
  const text = 'Anna\n\n  - Ben: work'
  expect(parseList(text).map(({ start, end }) => text.slice(start, end))).toEqual(text.split('\n'))
})
