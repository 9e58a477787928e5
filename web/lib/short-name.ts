const MAX_LENGTH = 60

/** A name for announcements and titles, shortened if it is very long. */
export function shortName(name: string): string {
  if (name.length <= MAX_LENGTH) return name
  return `${name.slice(0, MAX_LENGTH - 1).trimEnd()}…`
}
