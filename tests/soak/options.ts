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

export const USAGE = `npm run soak -- [--minutes=3] [--users=20] [--rounds=50] [--histories=1000]
Simulates weeks of use in minutes, then repeats the tests that kill servers, and those of random histories of two devices.
`

/** Reads the command line; null asks for help. Throws an error that names the accepted values. */
export function readOptions(args: readonly string[]): SoakOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      minutes: { type: 'string', default: '3' },
      users: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '50' },
      histories: { type: 'string', default: '1000' },
    },
  })
  if (values.help) return null
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
