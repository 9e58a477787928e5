import { parseArgs } from 'node:util'

/** The parts of the benchmark in the order in which they run. */
export const PART_NAMES = ['server', 'plan', 'capacity', 'page', 'dashboard', 'waiting', 'encrypted'] as const
export type PartName = (typeof PART_NAMES)[number]

export interface Options {
  parts: readonly PartName[]
  /** Few and short rounds: shows that everything works, and measures nothing reliably. */
  quick: boolean
}

/** Reads the command line. Throws an error that names the accepted values. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  })
  return { parts: readParts(values.only), quick: values.quick }
}

function readParts(only: string | undefined): readonly PartName[] {
  if (only === undefined) return PART_NAMES
  const wanted = new Set(only.split(','))
  const parts = PART_NAMES.filter((part) => wanted.delete(part))
  if (wanted.size > 0) {
    throw new Error(`--only is "${only}", and must be a comma-separated list of: ${PART_NAMES.join(', ')}.`)
  }
  return parts
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/

/** Returns the URL. Throws when it leads to another machine, where the benchmark would be an attack. */
export function requireLoopback(url: string): string {
  const { hostname } = new URL(url)
  if (!LOOPBACK.test(hostname)) {
    throw new Error(`${url} is not on this machine. The benchmark only uses the loopback address.`)
  }
  return url
}

/** Throws when the environment names a database or an address that the benchmark would not use. */
export function rejectOtherMachines(env: NodeJS.ProcessEnv): void {
  const { DATABASE_URL: database = '', HOST: host = '' } = env
  if (database !== '') {
    throw new Error('DATABASE_URL is set. The benchmark uses a database of its own: run it without.')
  }
  if (host !== '' && !LOOPBACK.test(host)) {
    throw new Error(`HOST is "${host}". The benchmark only listens on the loopback address: run it without.`)
  }
}
