import { compareDays, type Day, isDay } from '#web/lib/days/days.ts'
import type { Prayer } from './prayers.ts'

/** What was written about an answer on this day of an earlier year, the latest one, and when that was; null if there is none. */
export function answerOfEarlierYear(
  prayers: readonly Prayer[],
  today: Day,
): { when: string; answer: string } | null {
  const [latest] = prayers
    .flatMap(({ resolved, answered_on: day, answer }) =>
      resolved && day !== null && isAnniversary(day, today) ? { day, answer: answer?.trim() ?? '' } : [],
    )
    .filter(({ answer }) => answer !== '')
    .toSorted((a, b) => compareDays(b.day, a.day))
  return latest ? { when: yearsAgoText(latest.day, today), answer: latest.answer } : null
}

/**
 * Whether today is a day on which to remember an answer of an earlier year. What was answered on 29 February is remembered on the 28th in
 * years without it.
 */
export function isAnniversary(answered: Day | null, today: Day): boolean {
  if (answered === null || yearOf(answered) >= yearOf(today)) return false
  const date = answered.slice(5)
  const isThatDay = today.slice(5) === (date === '02-29' && !isLeapYear(yearOf(today)) ? '02-28' : date)
  return isThatDay && isDay(answered)
}

function isLeapYear(year: number): boolean {
  return new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1
}

function yearOf(day: Day): number {
  return Number(day.slice(0, 4))
}

const NUMBER_WORDS = ['', 'A', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']

/** For example "A year ago today". */
export function yearsAgoText(day: Day, today: Day): string {
  const years = yearOf(today) - yearOf(day)
  return `${NUMBER_WORDS[years] ?? years} ${years === 1 ? 'year' : 'years'} ago today`
}
