import type { Category } from '#web/data/categories.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { countText } from '#web/lib/count-text.ts'
import { monthName } from '#web/lib/days/day-text.ts'
import { compareDays, isDay, localDay } from '#web/lib/days/days.ts'

/** What the book of a year contains. */
export interface YearBook {
  /** The prayers that were answered in the year, from its first month to its last. */
  months: readonly { name: string; prayers: readonly Prayer[] }[]
  /** How many these are. */
  answered: number
  /** The names of the people still prayed for, by category: without those in hidden categories, and those added after the year. */
  people: readonly { category: Category; names: readonly string[] }[]
}

/** @param year for example `2026` */
export function yearBook(
  year: string,
  prayers: readonly Prayer[],
  categories: readonly Category[],
): YearBook {
  const answered = prayers
    .filter((prayer) => answeredIn(prayer) === year)
    .toSorted((a, b) => compareDays(a.answered_on, b.answered_on))
  const months = new Map<string, Prayer[]>()
  for (const prayer of answered) {
    const name = monthName(prayer.answered_on ?? '')
    months.set(name, [...(months.get(name) ?? []), prayer])
  }
  const open = prayers.filter(
    ({ resolved, created_at }) => !resolved && localDay(created_at).slice(0, 4) <= year,
  )
  const people = categories.flatMap((category) => {
    const own = open.filter(({ category_id }) => category.is_visible && category_id === category.id)
    // The oldest first, and each person once.
    const names = [...new Set(own.toReversed().map(({ person_name }) => person_name))]
    return names.length > 0 ? { category, names } : []
  })
  return {
    months: [...months].map(([name, members]) => ({ name, prayers: members })),
    answered: answered.length,
    people,
  }
}

/** The years in which prayers were answered, the latest first. */
export function yearsOf(prayers: readonly Prayer[]): readonly string[] {
  const years = prayers.flatMap((prayer) => answeredIn(prayer) ?? [])
  return [...new Set(years)].toSorted().toReversed()
}

/**
 * The sentence on the cover: "You prayed for 48 people; 19 prayers were answered." Null if there is nothing to say.
 *
 * @param people for how many people the user has prayed in the year; null if that is not known
 */
export function coverText(people: number | null, answered: number): string | null {
  const prayed = people === null ? null : `You prayed for ${countText(people, 'person', 'people')}`
  const answers =
    answered === 0 ? null : `${countText(answered, 'prayer')} ${answered === 1 ? 'was' : 'were'} answered`
  const texts = [prayed, answers].filter((text) => text !== null)
  return texts.length > 0 ? `${texts.join('; ')}.` : null
}

function answeredIn({ resolved, answered_on: day }: Prayer): string | null {
  return resolved && day !== null && isDay(day) ? day.slice(0, 4) : null
}
