import type { Category } from '#web/data/categories.ts'
import { dueToday, isForWeekday, type Plan } from '#web/data/plan.ts'
import { pausedUntil, type Prayer } from '#web/data/prayers.ts'
import { addDays, type Day } from '#web/lib/days/days.ts'

/** The columns of a prayer that decide its place in the order. */
export type Candidate = Plan & Pick<Prayer, 'id' | 'category_id' | 'created_at'>

/** A prayer that was prayed on this device, and the day when it last was. */
export interface PrayedHere {
  id: string
  day: Day
}

/** Categories by id. */
export type Categories = ReadonlyMap<string, Pick<Category, 'pray_days'>>

export interface Choice {
  /** Of the visible categories, those to pray for. */
  categories: Categories
  today: Day
  /** What was prayed on this device, the latest last: prayers store only the day. */
  prayedHere: readonly PrayedHere[]
}

/** All prayers that can be prayed today, in their order. */
export interface Selection<P> {
  /** Those that are due. */
  planned: readonly P[]
  others: readonly P[]
}

/**
 * Whether a prayer can be prayed today: it is open, not paused, in one of the categories, and in turn or planned for today. A
 * prayer is in turn on the days of its category, unless it has days of its own.
 */
export function isPrayable(prayer: Candidate, categories: Categories, today: Day): boolean {
  const isOpen = !prayer.resolved && pausedUntil(prayer, today) === null
  const isPlanned = isForWeekday(prayer, today) || dueToday(prayer, today) !== null
  return isOpen && categories.has(prayer.category_id) && (isPlanned || isInTurn(prayer, categories, today))
}

function isInTurn({ category_id, pray_days }: Candidate, categories: Categories, today: Day): boolean {
  const category = categories.get(category_id)
  if (!category || pray_days !== null) return false
  return category.pray_days === null || isForWeekday(category, today)
}

/**
 * Puts the prayers that can be prayed today in order: first those that are due because of a date, today's or yesterday's, then those
 * that are due because it is their weekday, then those of earlier dates, the latest first; then the others: never prayed first, then
 * longest unprayed, then oldest. What is due comes on top of the number that the user has chosen, so that it never keeps others
 * waiting: if nothing is skipped, pages of k others contain each of n within ceil(n / k) pages of the days on which it is in turn.
 */
export function selectPrayers<P extends Candidate>(prayers: readonly P[], choice: Choice): Selection<P> {
  const { categories, today, prayedHere } = choice
  const here = new Map(prayedHere.map(({ id, day }, turn) => [id, { day, turn }]))
  const tomorrow = addDays(today, 1)
  const lastDay = ({ id, last_prayed_on: last }: P) => {
    // It may have been taken back, on whichever device.
    if (last === null) return ''
    // It may be tomorrow already, elsewhere. A later day comes from a clock that was wrong, and stays: it says nothing.
    if (last <= tomorrow) return last
    const onDevice = here.get(id)?.day ?? ''
    return onDevice <= today ? onDevice : ''
  }
  const dated: (Aged<P> & { since: Day })[] = []
  const onWeekday: P[] = []
  const others: P[] = []
  for (const prayer of prayers) {
    if (!isPrayable(prayer, categories, today)) continue
    // The server may not have recorded the day of a clock that is wrong.
    const due = here.get(prayer.id)?.day === today ? null : dueToday(prayer, today)
    if (due?.by === 'date') dated.push({ ...aged(prayer), since: due.since })
    else if (due) onWeekday.push(prayer)
    else if (isInTurn(prayer, categories, today)) others.push(prayer)
  }
  const byLastPrayer = (those: readonly P[]) =>
    those
      .map((prayer) => {
        const last = lastDay(prayer)
        return { ...aged(prayer), last, turn: last === '' ? -1 : (here.get(prayer.id)?.turn ?? -1) }
      })
      .toSorted((a, b) => compare(a.last, b.last) || a.turn - b.turn || byAge(a, b))
      .map(({ prayer }) => prayer)
  dated.sort((a, b) => compare(b.since, a.since) || byAge(a, b))
  const yesterday = addDays(today, -1)
  const recent = dated.filter(({ since }) => since >= yesterday).map(({ prayer }) => prayer)
  const earlier = dated.filter(({ since }) => since < yesterday).map(({ prayer }) => prayer)
  return {
    planned: [...recent, ...byLastPrayer(onWeekday), ...earlier],
    others: byLastPrayer(others),
  }
}

/** A prayer, and when it was created, as a number: there may be thousands to compare. */
interface Aged<P> {
  prayer: P
  createdAt: number
}

function aged<P extends Candidate>(prayer: P): Aged<P> {
  return { prayer, createdAt: Date.parse(prayer.created_at) }
}

/** The oldest first. The id settles the order of prayers that were imported together. */
function byAge(a: Aged<Candidate>, b: Aged<Candidate>): number {
  return a.createdAt - b.createdAt || compare(a.prayer.id, b.prayer.id)
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
