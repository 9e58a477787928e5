import { useState } from 'react'
import type { Prayer } from '#web/data/prayers.ts'
import { deleteDraft, readDrafts, type StoredDraft } from '#web/lib/drafts.ts'
import { requestedPrayer } from '#web/lib/requested-prayer.ts'
import { DraftOffer } from '#web/ui/messages.tsx'
import { CHANGED_PRAYER_DRAFTS, isPrayerDraft, NEW_PRAYER_DRAFTS, type PrayerDraft } from './prayer-form.ts'
import type { OpenDialog } from './use-open-dialog.ts'

interface DraftOffersProps {
  prayers: readonly Prayer[]
  onRestore: (dialog: OpenDialog) => void
}

/** Offers the texts that were typed, but not saved, before the page was opened or another screen was shown. */
export function DraftOffers({ prayers, onRestore }: DraftOffersProps) {
  const [drafts, setDrafts] = useState(() => {
    const stored = [
      ...readDrafts(NEW_PRAYER_DRAFTS, isPrayerDraft),
      ...readDrafts(CHANGED_PRAYER_DRAFTS, isPrayerDraft),
    ]
    // The dialog of a requested prayer opens by itself.
    return stored.filter(({ draft }) => draft.id !== requestedPrayer.get()?.id)
  })
  const offers = drafts.flatMap((stored) => {
    const dialog = dialogOf(stored, prayers)
    return dialog ? { stored, dialog } : []
  })
  if (offers.length === 0) return null
  const settle = (stored: StoredDraft<PrayerDraft>) => {
    setDrafts(drafts.filter((other) => other !== stored))
    // The button that was pressed disappears.
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }
  return (
    <ul aria-label="Unsaved prayers" className="flex flex-col gap-2 print:hidden">
      {offers.map(({ stored, dialog }) => (
        <li key={stored.draft.id}>
          <DraftOffer
            about={dialog.kind === 'add' ? 'New prayer' : `Prayer for ${dialog.prayer.person_name}`}
            text={stored.draft.form.person_name || stored.draft.form.note}
            onRestore={() => {
              settle(stored)
              onRestore(dialog)
            }}
            onDiscard={() => {
              settle(stored)
              deleteDraft(stored.name)
            }}
          />
        </li>
      ))}
    </ul>
  )
}

/** The dialog in which the text was typed; null if its prayer no longer exists. */
function dialogOf({ name, draft }: StoredDraft<PrayerDraft>, prayers: readonly Prayer[]) {
  const [form, categoryId = ''] = name
  if (form === NEW_PRAYER_DRAFTS[0]) return { kind: 'add', id: draft.id, categoryId, draft } as const
  const prayer = prayers.find(({ id }) => id === draft.id)
  return prayer ? ({ kind: 'edit', prayer, draft } as const) : null
}
