import { isAnniversary, yearsAgoText } from '#web/data/anniversaries.ts'
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
  return grouped(found, ({ day }) => yearsAgoText(day ?? today, today))
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
