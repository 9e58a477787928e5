import { useCallback, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Prayer, usePrayerActions, usePrayers } from '#web/data/prayers.ts'
import { AnsweredScreen, focusEntry } from '#web/features/answered/answered-screen.tsx'
import { AnswerDialog } from '#web/features/prayers/answer-dialog.tsx'
import { DraftOffers } from '#web/features/prayers/draft-offers.tsx'
import type { OpenDialog } from '#web/features/prayers/use-open-dialog.ts'
import { usePrayerEvents } from '#web/features/prayers/use-prayer-events.ts'

/** The answered prayers, and the dialog that edits their answers. */
export function AnsweredPlace() {
  const prayers = usePrayers()
  const actions = usePrayerActions()
  const [edited, setEdited] = useState<OpenDialog | null>(null)
  const edit = useCallback((prayer: Prayer) => setEdited({ kind: 'answer', prayer }), [])
  const { resolve } = usePrayerEvents(actions, prayers.error?.message ?? null)
  const reopen = useCallback((prayer: Prayer) => void resolve(prayer, false), [resolve])
  const close = () => {
    flushSync(() => setEdited(null))
    // The date may have moved the entry to another month: the browser cannot return the focus to it.
    if (edited?.kind === 'answer' && document.activeElement === document.body) focusEntry(edited.prayer)
  }
  return (
    <>
      <AnsweredScreen onEdit={edit} onReopen={reopen}>
        {prayers.rows && <DraftOffers answersOnly prayers={prayers.rows} onRestore={setEdited} />}
      </AnsweredScreen>
      {edited?.kind === 'answer' && (
        <AnswerDialog prayer={edited.prayer} draft={edited.draft} onClose={close} />
      )}
    </>
  )
}
