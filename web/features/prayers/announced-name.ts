const LONGEST = 60

/** A person's name as it is said in passing: a very long one in short. */
export function announcedName(name: string): string {
  return name.length <= LONGEST ? name : `${name.slice(0, LONGEST - 1).trimEnd()}…`
}
