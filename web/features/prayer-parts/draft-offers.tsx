import { useEffect, useEffectEvent, useState } from 'react'
import type { Prayer } from '#web/data/prayers.ts'
import { deleteSameDraft, type DraftName, readDrafts } from '#web/lib/storage/drafts.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { DraftOffer } from '#web/ui/draft-offer.tsx'
import { keepFocus } from '#web/ui/focus.ts'
import { ANSWER_DRAFTS, answerDraftSchema, LIST_DRAFTS, listDraftSchema } from './drafts.ts'
import { CHANGED_PRAYER_DRAFTS, NEW_PRAYER_DRAFTS, prayerDraftSchema } from './prayer-form.ts'
import { openPrayer } from './prayer-link.tsx'
import { readUpdateDrafts } from './update-form.tsx'
import type { OpenDialog } from './use-open-dialog.ts'

interface DraftOffersProps {
  prayers: readonly Prayer[]
  /** What is offered, if not everything. */
  only?: 'list' | 'answer' | undefined
  /** How many dialogs have been closed, each of which may have left a text. */
  closedCount?: number
  onRestore: (dialog: OpenDialog) => void
}

/** A text that was typed, what it belongs to, and what opens the form in which it was typed. */
interface Offer {
  kind: 'prayer' | 'list' | 'update' | 'answer'
  name: DraftName
  draft: unknown
  text: string
  about: string
  open: () => void
}

function readAllDrafts() {
  return {
    answers: readDrafts(ANSWER_DRAFTS, answerDraftSchema),
    prayers: [
      ...readDrafts(NEW_PRAYER_DRAFTS, prayerDraftSchema),
      ...readDrafts(CHANGED_PRAYER_DRAFTS, prayerDraftSchema),
    ],
    lists: readDrafts(LIST_DRAFTS, listDraftSchema),
    updates: readUpdateDrafts(),
  }
}

type StoredDrafts = ReturnType<typeof readAllDrafts>

const NOTHING: StoredDrafts = { answers: [], prayers: [], lists: [], updates: [] }

function keysOf(stored: StoredDrafts): string[] {
  return Object.values(stored).flatMap((drafts) => drafts.map(({ name }) => name.join('/')))
}

/** Offers the texts that were typed, but not saved, before the page was opened, another screen was shown, or a dialog was closed. */
export function DraftOffers({ prayers, only, closedCount = 0, onRestore }: DraftOffersProps) {
  const announce = useAnnounce()
  const [stored, setStored] = useState(() => (closedCount === 0 ? readAllDrafts() : NOTHING))
  const [settled, setSettled] = useState<readonly DraftName[]>([])
  const readAgain = useEffectEvent(() => {
    const shown = new Set(keysOf(stored))
    const next = readAllDrafts()
    setStored(next)
    setSettled([])
    if (keysOf(next).some((key) => !shown.has(key))) announce('What you typed is kept')
  })
  useEffect(() => {
    if (closedCount === 0) return undefined
    // A dialog that has saved its text closes before it deletes the draft.
    const timer = setTimeout(readAgain)
    return () => clearTimeout(timer)
  }, [closedCount])
  const prayerOf = ({ id }: { id: string }) => prayers.find((prayer) => prayer.id === id)
  const offers: Offer[] = [
    ...stored.prayers.flatMap(({ name, draft }): Offer[] => {
      const text = draft.form.person_name || draft.form.note
      const [form, categoryId = ''] = name
      if (form === NEW_PRAYER_DRAFTS[0]) {
        const open = () => onRestore({ kind: 'add', id: draft.id, categoryId, restore: name.at(-1) })
        return [{ kind: 'prayer', name, draft, text, about: 'New prayer', open }]
      }
      const prayer = prayerOf(draft)
      if (!prayer) return []
      const open = () => onRestore({ kind: 'edit', prayer, restore: name.at(-1) })
      return [{ kind: 'prayer', name, draft, text, about: `Prayer for ${prayer.person_name}`, open }]
    }),
    ...stored.lists.map(({ name, draft }): Offer => {
      const { id, category_id: categoryId, text } = draft
      const open = () => onRestore({ kind: 'add-several', id, categoryId, restore: name.at(-1) })
      return { kind: 'list', name, draft, text: text.trim(), about: 'Several prayers', open }
    }),
    ...stored.updates.flatMap(({ name, draft }): Offer[] => {
      const prayer = prayerOf({ id: draft.prayer_id })
      if (!prayer) return []
      // The form on its page begins with what was typed.
      const open = () => openPrayer(prayer.id)
      return [
        { kind: 'update', name, draft, text: draft.body, about: `Update for ${prayer.person_name}`, open },
      ]
    }),
    ...stored.answers.flatMap(({ name, draft }): Offer[] => {
      const prayer = prayerOf(draft)
      if (!prayer) return []
      const open = () => onRestore({ kind: 'answer', prayer, restore: name.at(-1) })
      return [
        { kind: 'answer', name, draft, text: draft.answer, about: `Answer for ${prayer.person_name}`, open },
      ]
    }),
  ].filter(({ kind, name }) => (!only || kind === only) && !settled.includes(name))
  if (offers.length === 0) return null
  const settle = ({ name }: Offer) =>
    keepFocus(() => setSettled([...settled, name]), undefined, { preventScroll: true })
  return (
    <ul
      aria-label={only === 'answer' ? 'Unsaved answers' : 'Unsaved prayers'}
      className="flex flex-col gap-2 print:hidden"
    >
      {offers.map((offer) => (
        <li key={offer.name.join('/')}>
          <DraftOffer
            about={offer.about}
            text={offer.text}
            onRestore={() => {
              settle(offer)
              offer.open()
            }}
            onDiscard={() => {
              settle(offer)
              deleteSameDraft(offer.name, offer.draft)
            }}
          />
        </li>
      ))}
    </ul>
  )
}
