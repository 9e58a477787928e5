import { ConfigError } from './config-error.ts'

/** The variables of the process; an empty one counts as not set, as container tools set them. */
export type Environment = Readonly<Record<string, string | undefined>>

interface Reading {
  /** Never shows the value. */
  secret?: boolean
}

/** The value of a variable without the white space around it; null when it is not set. */
export function readText(env: Environment, name: string): string | null {
  const value = env[name]?.trim()
  return value === undefined || value === '' ? null : value
}

/**
 * Reads a variable by `parse`, which gives null for a value that is not accepted. `accepted` ends the sentence
 * "NAME is …, and must be". Gives null when the variable is not set; throws a `ConfigError` when it is refused.
 */
export function read<Value>(
  env: Environment,
  name: string,
  accepted: string,
  parse: (text: string) => Value | null,
  reading: Reading = {},
): Value | null {
  const text = readText(env, name)
  if (text === null) return null
  const value = parse(text)
  if (value !== null) return value
  throw new ConfigError(
    `${name} is ${reading.secret === true ? '(hidden)' : `"${text}"`}, and must be ${accepted}.`,
  )
}

/** A whole number within bounds. */
export function readInteger(env: Environment, name: string, least: number, most: number): number | null {
  return read(env, name, `a whole number from ${String(least)} to ${String(most)}`, (text) => {
    const value = Number(text)
    return /^\d+$/.test(text) && value >= least && value <= most ? value : null
  })
}

export function readBoolean(env: Environment, name: string): boolean | null {
  return read(env, name, 'true or false', parseBoolean)
}

export function parseBoolean(text: string): boolean | null {
  if (['true', '1', 'yes', 'on'].includes(text.toLowerCase())) return true
  if (['false', '0', 'no', 'off'].includes(text.toLowerCase())) return false
  return null
}

/** A URL of one of these schemes (with the colon), as `URL` reads it. */
export function parseUrl(text: string, schemes: readonly string[]): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && schemes.includes(url.protocol) ? url : null
}
