/** What clocks show in time zones, by the data of Node.js instead of PostgreSQL's. */

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Creating a format takes longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** Day and time that clocks show, as `2026-03-29T02:30`. */
export function shownAt(timeZone: string, instant: Date): string {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
    formats.set(timeZone, format)
  }
  const parts = new Map<string, string>(format.formatToParts(instant).map(({ type, value }) => [type, value]))
  const [year, month, day, hour, minute] = ['year', 'month', 'day', 'hour', 'minute'].map((type) =>
    String(parts.get(type)),
  )
  return `${String(year)}-${String(month)}-${String(day)}T${String(hour)}:${String(minute)}`
}

/** Milliseconds by which clocks are ahead of UTC. */
function offsetAt(timeZone: string, instant: number): number {
  const minute = Math.floor(instant / MINUTE) * MINUTE
  return Date.parse(`${shownAt(timeZone, new Date(minute))}Z`) - minute
}

/**
 * When clocks show a time: the second moment if they do twice, the first minute after a gap if they never do.
 *
 * @param local as `2026-03-29T02:30`
 */
export function momentOf(timeZone: string, local: string): Date {
  const asUtc = Date.parse(`${local}Z`)
  const [before, after] = [offsetAt(timeZone, asUtc - DAY), offsetAt(timeZone, asUtc + DAY)]
  const shown = [asUtc - before, asUtc - after].filter(
    (instant) => shownAt(timeZone, new Date(instant)) === local,
  )
  if (shown.length > 0) return new Date(Math.max(...shown))
  // The clocks change between these two.
  let [early, late] = [asUtc - DAY, asUtc + DAY]
  while (late - early > MINUTE) {
    const middle = Math.floor((early + late) / 2 / MINUTE) * MINUTE
    if (offsetAt(timeZone, middle) === before) early = middle
    else late = middle
  }
  return new Date(late)
}
