import type { Prayer } from '#web/data/prayers.ts'
import { dateText, dayText } from '#web/lib/day-text.ts'
import type { Day } from '#web/lib/days.ts'

/** Whether an open prayer is paused. It comes back on the day on which the pause ends. */
export function isPaused({ resolved, resting_until: restingUntil }: Prayer, today: Day): boolean {
  return !resolved && restingUntil !== null && restingUntil > today
}

/** What the row of an open prayer says about its date, its pause and its newest update. */
export function rowTexts(prayer: Prayer, updatedOn: Day | null, today: Day): string[] {
  const { resolved, due_on: dueOn, resting_until: restingUntil } = prayer
  if (resolved) return []
  return [
    dueOn !== null && dayText(dueOn, today),
    restingUntil !== null && restingUntil > today && `Paused until ${dateText(restingUntil, today)}`,
    updatedOn !== null && `Updated ${dateText(updatedOn, today)}`,
  ].filter((text) => text !== false)
}
