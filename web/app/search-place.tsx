import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { Prayer } from '#web/data/prayers.ts'
import { EditPrayerDialog } from '#web/features/prayers/edit-prayer-dialog.tsx'
import { focusResult } from '#web/features/search/result-list.tsx'
import { SearchScreen } from '#web/features/search/search-screen.tsx'

/** The search, and the dialog that it opens. */
export function SearchPlace() {
  const [edited, setEdited] = useState<Prayer | null>(null)
  const close = () => {
    flushSync(() => setEdited(null))
    // The result from which the dialog was opened may have moved: the browser cannot return the focus to it.
    if (edited && document.activeElement === document.body) focusResult(edited.id)
  }
  return (
    <>
      <SearchScreen onOpen={setEdited} />
      {edited && <EditPrayerDialog prayer={edited} onClose={close} />}
    </>
  )
}
