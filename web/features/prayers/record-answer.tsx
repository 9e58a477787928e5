import { useState } from 'react'
import { usePrayers } from '#web/data/prayers.ts'
import { answerToRecord } from '#web/lib/navigation/navigation-state.ts'
import { keepFocus } from '#web/ui/focus.ts'
import { AnswerDialog } from '#web/features/prayer-parts/answer-dialog.tsx'
import { findPrayer } from './prayer-list.tsx'

interface RecordAnswerProps {
  prayerId: string
  /** Offers again to undo that the prayer was resolved. */
  announceAgain?: () => void
}

/** The dialog for the answer of a prayer that was just resolved, on whichever screen. */
export function RecordAnswer({ prayerId, announceAgain }: RecordAnswerProps) {
  const { rows } = usePrayers()
  const find = () => rows?.find(({ id }) => id === prayerId)
  // Kept with what is typed, even if the prayer is deleted elsewhere.
  const [prayer] = useState(find)
  if (!prayer) return null
  const close = () => {
    keepFocus(
      () => answerToRecord.set(null),
      () => findPrayer(prayer),
      { preventScroll: true },
    )
    // Where its row has left, the next key must not resolve the prayer that has taken its place.
    if (!findPrayer(prayer))
      document.activeElement?.closest('[data-prayer]')?.querySelector('a')?.focus({ preventScroll: true })
    // Saving the answer announces that instead.
    if (find()?.resolved) announceAgain?.()
  }
  return <AnswerDialog prayer={prayer} onClose={close} />
}
