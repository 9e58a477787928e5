import { parseArgs } from 'node:util'

export interface SoakOptions {
  /** How long it takes by the clock on the wall. */
  minutes: number
  people: number
}

/** Reads the command line. Throws an error with a sentence for what can't be. */
export function readOptions(args: readonly string[]): SoakOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: { type: 'string', default: '3' }, people: { type: 'string', default: '20' } },
  })
  return {
    minutes: readNumber('--minutes', values.minutes, 1, 600),
    people: readNumber('--people', values.people, 1, 200),
  }
}

function readNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new Error(`${name} is ${text}, but must be a whole number from ${String(least)} to ${String(most)}.`)
}
