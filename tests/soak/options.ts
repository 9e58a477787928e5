import { parseArgs } from 'node:util'

export interface SoakOptions {
  /** Duration by the real clock. */
  minutes: number
  users: number
  /** How often something is killed or lost under load (tests/faults). */
  rounds: number
  /** How many random histories of two devices (tests/sync). Every twentieth also runs in a real browser. */
  histories: number
}

/** Reads the command line. Throws an error that names the accepted values. */
export function readOptions(args: readonly string[]): SoakOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '3' },
      users: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '50' },
      histories: { type: 'string', default: '1000' },
    },
  })
  return {
    minutes: readNumber('--minutes', values.minutes, 600),
    users: readNumber('--users', values.users, 200),
    rounds: readNumber('--rounds', values.rounds, 10_000),
    histories: readNumber('--histories', values.histories, 100_000),
  }
}

function readNumber(name: string, text: string, most: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new Error(`${name} is ${text}, and must be a whole number from 1 to ${String(most)}.`)
}
