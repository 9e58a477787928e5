import { array, type InferOutput, nullable, number, object, string } from 'valibot'
import { dueToday, type Plan, PRAYED_TODAY } from '#web/data/plan.ts'
import { isLastPrayedOn, pausedUntil, type Prayer } from '#web/data/prayers.ts'
import { requestOf } from '#web/features/prayer-parts/request-of.ts'
import { countText } from '#web/lib/count-text.ts'
import { dateText, dayText, weekdaysText } from '#web/lib/days/day-text.ts'
import { addDays, type Day, isDay } from '#web/lib/days/days.ts'
import { type Categories, isPrayable, type Selection } from './select-prayers.ts'

/** The page of a day, as this browser keeps it. Prayers that can no longer be shown stay on it, so that no others take their place. */
export const todayPageSchema = object({
  day: string(),
  /** Ids of the prayers planned for the day. */
  planned: array(string()),
  others: array(string()),
  /** How many others there is room for; null for all. */
  room: nullable(number()),
})
export type TodayPage = InferOutput<typeof todayPageSchema>

/** The prayers that a page shows, in their order. */
export interface Names {
  planned: readonly Prayer[]
  others: readonly Prayer[]
}

/** @param chosen number of others */
export function roomFor(chosen: number | 'all'): number | null {
  return chosen === 'all' ? null : chosen
}

/**
 * Today's page: the one that is kept, or a new one on another day. What has become due is added to it, and others as long as
 * there is room. Whoever is on it keeps the place, except those who are not planned for the day any more: they wait with the others.
 * If nothing changes, it is the same object.
 */
export function pageOf(
  kept: TodayPage | null,
  { day, room }: Pick<TodayPage, 'day' | 'room'>,
  selection: Selection<Prayer>,
): TodayPage {
  const isKept = kept?.day === day
  const page = isKept ? kept : { day, planned: [], others: [], room }
  const planned = new Set(page.planned)
  const others = new Set(page.others)
  const isPlanned = (prayer: Prayer) => isLastPrayedOn(prayer, day) || reasonText(prayer, day) !== null
  for (const prayer of selection.others)
    if (planned.has(prayer.id) && !isPlanned(prayer)) planned.delete(prayer.id)
  for (const prayer of selection.planned) {
    // Perhaps it only seems to be due.
    if (others.has(prayer.id) && isUnknown(prayer)) continue
    planned.add(prayer.id)
    others.delete(prayer.id)
  }
  for (const { id } of selection.others) {
    if (others.size >= (page.room ?? Infinity)) break
    if (!planned.has(id)) others.add(id)
  }
  const isSame = isKept && hasSameIds(page.planned, planned) && hasSameIds(page.others, others)
  return isSame ? page : { ...page, planned: [...planned], others: [...others] }
}

function hasSameIds(ids: readonly string[], set: ReadonlySet<string>): boolean {
  return ids.length === set.size && ids.every((id) => set.has(id))
}

/** The page with room for some more of those that are not on it. */
export function withMore(page: TodayPage, count: number): TodayPage {
  return { ...page, room: page.others.length + count }
}

/**
 * The page after the user has chosen another number or other categories: with those who were prayed for, and as many of the
 * others as there is room for.
 *
 * @param names what the page would show
 */
export function afterChoice(page: TodayPage, room: number | null, { planned, others }: Names): TodayPage {
  const open = others.filter((prayer) => !isLastPrayedOn(prayer, page.day))
  const left = Math.max(0, (room ?? Infinity) - (others.length - open.length))
  const dropped = new Set(open.slice(left))
  return {
    ...page,
    room,
    planned: planned.map(({ id }) => id),
    others: others.filter((prayer) => !dropped.has(prayer)).map(({ id }) => id),
  }
}

/** The prayers on a page that can be shown. Having been prayed for takes nobody off the page. */
export function namesOn(
  page: TodayPage,
  prayersById: ReadonlyMap<string, Prayer>,
  categories: Categories,
): Names {
  const find = (ids: readonly string[]) =>
    ids
      .map((id) => prayersById.get(id))
      .filter((prayer) => prayer !== undefined)
      .filter((prayer) => isPrayable(beforePraying(prayer, page.day), categories, page.day))
  return { planned: find(page.planned), others: find(page.others) }
}

function beforePraying(prayer: Prayer, day: Day): Prayer {
  return isLastPrayedOn(prayer, day) ? { ...prayer, last_prayed_on: null } : prayer
}

/** Whether it was prayed, but not known when: the last day was taken back, and the server has not said which one is the last now. */
function isUnknown({ last_prayed_on: last, times_prayed: times }: Prayer): boolean {
  return last === null && times > 0
}

/**
 * Why a prayer is among those for today, whether it has been prayed today or not: for example "Due yesterday", "3 November, every
 * month" or "Sundays". Null if it is not one of them.
 */
export function reasonText(plan: Plan, today: Day): string | null {
  const due = dueToday(isLastPrayedOn(plan, today) ? { ...plan, last_prayed_on: null } : plan, today)
  if (due === null) return null
  if (due.by === 'weekday') return weekdaysText(plan.pray_days ?? 0)
  const day = due.since < addDays(today, -1) ? dateText(due.since, today) : dayText(due.since, today)
  const capitalised = `${day.charAt(0).toUpperCase()}${day.slice(1)}`
  if (plan.due_repeats === 'monthly') return `${capitalised}, every month`
  return plan.due_repeats === 'yearly' ? `${capitalised}, every year` : `Due ${day}`
}

/** Why a prayer is on the page: that it is planned for today, or when it was last prayed. Null if that is not known. */
export function whyText(prayer: Prayer, isPlanned: boolean, today: Day): string | null {
  if (isLastPrayedOn(prayer, today)) return PRAYED_TODAY
  return (isPlanned ? reasonText(prayer, today) : null) ?? lastPrayedText(prayer, today)
}

/** More than a line holds. */
const REQUEST_LENGTH = 300

/** The beginning of what to pray for; null if there is nothing. The parameters are those of `requestOf`. */
export function requestText(...request: Parameters<typeof requestOf>): string | null {
  const text = requestOf(...request)
  return text === '' ? null : text.slice(0, REQUEST_LENGTH)
}

function lastPrayedText(prayer: Prayer, today: Day): string | null {
  const { last_prayed_on: last } = prayer
  if (last === null) return isUnknown(prayer) ? null : 'Not prayed yet'
  if (last === addDays(today, -1)) return 'Last prayed yesterday'
  // A later day comes from a clock that was wrong, or from where it is tomorrow already.
  return isDay(last) && last < today ? `Last prayed ${dateText(last, today)}` : null
}

/** How many are on the page, for example "11 planned + 10 in turn". */
export function countsText({ planned, others }: Names): string {
  const parts = [
    planned.length > 0 && `${planned.length} planned`,
    others.length > 0 && `${others.length} in turn`,
  ].filter((part) => part !== false)
  return parts.length > 0 ? parts.join(' + ') : 'Nobody in turn'
}

interface LeftOutOptions {
  /** The categories that are not hidden. */
  visible: ReadonlySet<string>
  /** Those of them to pray for. */
  chosen: Categories
}

/** Which open prayers cannot be on today's page, and why: for example "3 are paused, 2 are in hidden categories". */
export function leftOutText(
  prayers: readonly Prayer[],
  { visible, chosen }: LeftOutOptions,
  today: Day,
): string | null {
  const counts = { paused: 0, otherDay: 0, otherTurn: 0, hidden: 0, notChosen: 0 }
  for (const prayer of prayers) {
    if (prayer.resolved) continue
    if (!visible.has(prayer.category_id)) counts.hidden += 1
    else if (!chosen.has(prayer.category_id)) counts.notChosen += 1
    else if (pausedUntil(prayer, today) !== null) counts.paused += 1
    else if (isPrayable(beforePraying(prayer, today), chosen, today)) continue
    else if (prayer.pray_days !== null) counts.otherDay += 1
    else counts.otherTurn += 1
  }
  const reasons: [count: number, one: string, several: string][] = [
    [counts.paused, 'is paused', 'are paused'],
    [counts.otherDay, 'is for another day', 'are for other days'],
    [counts.otherTurn, 'is in a category for other days', 'are in categories for other days'],
    [counts.hidden, 'is in a hidden category', 'are in hidden categories'],
    [counts.notChosen, 'is in another category', 'are in other categories'],
  ]
  const parts = reasons.flatMap(([count, ...texts]) => (count > 0 ? countText(count, ...texts) : []))
  return parts.length > 0 ? `${parts.join(', ')}.` : null
}
