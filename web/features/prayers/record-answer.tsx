import { useState } from 'react'
import { usePrayers } from '#web/data/prayers.ts'
import { answerToRecord } from '#web/lib/navigation/navigation-state.ts'
import { keepFocus } from '#web/ui/focus.ts'
import { AnswerDialog } from '#web/features/prayer-parts/answer-dialog.tsx'
import { findPrayer } from './prayer-list.tsx'

/** The dialog for the answer of a prayer that was just resolved, on whichever screen. */
export function RecordAnswer({ prayerId }: { prayerId: string }) {
  const { rows } = usePrayers()
  // Kept with what is typed, even if the prayer is deleted elsewhere.
  const [prayer] = useState(() => rows?.find(({ id }) => id === prayerId))
  if (!prayer) return null
  const close = () =>
    keepFocus(
      () => answerToRecord.set(null),
      () => findPrayer(prayer),
      { preventScroll: true },
    )
  return <AnswerDialog prayer={prayer} onClose={close} />
}
