import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type InferOutput, nullable, object, string } from 'valibot'
import { newId } from '#web/lib/new-id.ts'
import { useDraft } from '#web/lib/storage/use-draft.ts'
import type { ActionResult } from './changes.ts'
import { type PrayerUpdate, usePrayerUpdateActions } from './prayer-updates.ts'

/** The text of an update. */
export const updateDraftSchema = object({
  /** A new update is saved under it: saving again must not add a second one. */
  id: string(),
  prayer_id: string(),
  /** The update that is changed; null for a new one. */
  update_id: nullable(string()),
  body: string(),
})
export type UpdateDraft = InferOutput<typeof updateDraftSchema>

/** The names of the drafts of new updates, by their prayer, and of changed ones, by their id. */
export const NEW_UPDATE_DRAFTS = ['new-update']
export const CHANGED_UPDATE_DRAFTS = ['update']

interface UpdateFormOptions {
  prayerId: string
  /** The update that is changed; null for a new one. */
  update?: PrayerUpdate | null
  /** Unsaved text to begin with. */
  draft?: UpdateDraft | undefined
}

/**
 * The text of an update that is being written, wherever in the app that is. Until it is saved, it is kept as a draft, also
 * when the form is closed.
 */
export function useUpdateForm({ prayerId, update = null, draft }: UpdateFormOptions) {
  const { addUpdate, changeUpdate } = usePrayerUpdateActions()
  // It may be changed on another device meanwhile: then both texts are kept.
  const [shown] = useState(update)
  const [typed, setTyped] = useState(
    () =>
      draft ?? { id: newId(), prayer_id: prayerId, update_id: shown?.id ?? null, body: shown?.body ?? '' },
  )
  const [error, setError] = useState<string | null>(null)
  const body = typed.body.trim()
  const isUnsaved = body !== '' && typed.body !== shown?.body
  const name = shown ? [...CHANGED_UPDATE_DRAFTS, shown.id] : [...NEW_UPDATE_DRAFTS, prayerId]
  const stored = useDraft(name, typed.id, isUnsaved ? typed : null, updateDraftSchema)
  const [offered, setOffered] = useState(draft ? undefined : stored.before)

  const isSaved = useRef(false)
  const keepUnlessSaved = useEffectEvent(() => {
    if (!isSaved.current) stored.keep()
  })
  useEffect(() => () => keepUnlessSaved(), [])

  const write = (): Promise<ActionResult> => {
    if (!shown) return addUpdate({ prayer_id: prayerId, body }, typed.id)
    return body === shown.body ? Promise.resolve({ success: true }) : changeUpdate(shown, body)
  }
  return {
    body: typed.body,
    /** Whether there is text that is not saved. */
    isUnsaved,
    /** Why it could not be saved; null if there is no error. */
    error,
    /** Unsaved text of an earlier time; undefined if there is none. */
    offered: offered?.body,
    change: (changed: string) => {
      setTyped({ ...typed, body: changed })
      setError(null)
    },
    /** Resolves to whether it was saved. */
    save: async (): Promise<boolean> => {
      if (body === '') {
        setError('Please enter an update')
        return false
      }
      stored.keep()
      const result = await write()
      if (!result.success) {
        setError(result.error)
        return false
      }
      isSaved.current = true
      stored.forget()
      return true
    },
    restore: () => {
      if (offered) setTyped(offered)
      setOffered(undefined)
    },
    discard: () => {
      stored.forget(offered?.id)
      setOffered(undefined)
    },
  }
}
