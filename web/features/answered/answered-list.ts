import type { Prayer } from '#web/data/prayers.ts'
import { monthText } from '#web/lib/days/day-text.ts'
import { compareDays, type Day, isDay } from '#web/lib/days/days.ts'

/** Answered prayers under a heading. */
export interface AnsweredGroup {
  title: string
  prayers: readonly Prayer[]
}

/** The title for prayers that were resolved before the date was recorded, or whose date cannot be read. */
const UNDATED = 'Earlier'

/** The answered prayers by the month of the answer, newest first; those without a date at the end. */
export function groupByMonth(prayers: readonly Prayer[]): readonly AnsweredGroup[] {
  return grouped(answersIn(prayers), ({ day }) => (day === null ? UNDATED : monthText(day)))
}

/** The prayers that were answered on this day of an earlier year, the latest year first. */
export function anniversaries(prayers: readonly Prayer[], today: Day): readonly AnsweredGroup[] {
  const found = answersIn(prayers).filter(({ day }) => isAnniversary(day, today))
  return grouped(found, ({ day }) => yearsAgoText(yearOf(today) - yearOf(day ?? today)))
}

interface Answer {
  prayer: Prayer
  /** Null if it is not known. */
  day: Day | null
}

/** The answered prayers with their days. Each day is read once, because that takes longer than comparing it with others. */
function answersIn(prayers: readonly Prayer[]): readonly Answer[] {
  return prayers.filter((prayer) => prayer.resolved).map((prayer) => ({ prayer, day: answerDay(prayer) }))
}

function answerDay({ answered_on: day }: Prayer): Day | null {
  return day !== null && isDay(day) ? day : null
}

/** Groups answers by their titles, newest first. */
function grouped(answers: readonly Answer[], titleOf: (answer: Answer) => string): readonly AnsweredGroup[] {
  const groups = new Map<string, Prayer[]>()
  for (const answer of answers.toSorted((a, b) => compareDays(b.day, a.day))) {
    const title = titleOf(answer)
    const group = groups.get(title)
    if (group) group.push(answer.prayer)
    else groups.set(title, [answer.prayer])
  }
  return [...groups].map(([title, members]) => ({ title, prayers: members }))
}

/** What was answered on 29 February is remembered on the 28th in years without it. */
function isAnniversary(answered: Day | null, today: Day): boolean {
  if (answered === null || yearOf(answered) >= yearOf(today)) return false
  const date = answered.slice(5)
  return today.slice(5) === (date === '02-29' && !isLeapYear(yearOf(today)) ? '02-28' : date)
}

function isLeapYear(year: number): boolean {
  return new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1
}

function yearOf(day: Day): number {
  return Number(day.slice(0, 4))
}

const NUMBER_WORDS = ['', 'A', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']

function yearsAgoText(years: number): string {
  return `${NUMBER_WORDS[years] ?? years} ${years === 1 ? 'year' : 'years'} ago today`
}
