import { useState } from 'react'
import { type InferOutput, nullable, object, string } from 'valibot'
import { useFieldErrors } from '#web/lib/field-errors.ts'
import { readDrafts } from '#web/lib/storage/drafts.ts'
import { useDraft } from '#web/lib/storage/use-draft.ts'
import { newId } from '#web/lib/new-id.ts'
import type { ActionResult } from './make-change.ts'
import type { PrayerUpdate } from './prayer-updates.ts'
import { usePrayerUpdateActions } from './prayer-update-actions.ts'

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
const NEW_UPDATE_DRAFTS = ['new-update']
export const CHANGED_UPDATE_DRAFTS = ['update']

/** The texts of new updates that were typed, but not saved, and then those of changed ones. */
export function readUpdateDrafts() {
  return [
    ...readDrafts(NEW_UPDATE_DRAFTS, updateDraftSchema),
    ...readDrafts(CHANGED_UPDATE_DRAFTS, updateDraftSchema),
  ]
}

interface UpdateFormOptions {
  prayerId: string
  /** The update that is changed; null for a new one. */
  update?: PrayerUpdate | null
  /** The draft to begin with. */
  draft?: UpdateDraft | undefined
}

/** The text of an update that is being written, wherever in the app that is. */
export function useUpdateForm({ prayerId, update = null, draft: restored }: UpdateFormOptions) {
  const { addUpdate, changeUpdate } = usePrayerUpdateActions()
  // It may be changed on another device meanwhile: then both texts are kept.
  const [shown] = useState(update)
  const [initial] = useState<UpdateDraft>(() => ({
    id: restored?.id ?? newId(),
    prayer_id: prayerId,
    // The update that was changed may have been deleted: then its text becomes a new one.
    update_id: restored ? restored.update_id : (shown?.id ?? null),
    body: shown?.body ?? '',
  }))
  const draft = useDraft({
    form:
      initial.update_id === null
        ? [...NEW_UPDATE_DRAFTS, prayerId]
        : [...CHANGED_UPDATE_DRAFTS, initial.update_id],
    schema: updateDraftSchema,
    initial,
    restore: restored !== undefined,
    isUnsaved: ({ body }) => body.trim() !== '' && body !== shown?.body,
  })
  const { errors, show, recheck } = useFieldErrors<'body'>()
  const body = draft.typed.body.trim()

  const write = (): Promise<ActionResult> => {
    if (!shown) return addUpdate({ prayer_id: prayerId, body }, draft.typed.id)
    return body === shown.body ? Promise.resolve({ success: true }) : changeUpdate(shown, body)
  }
  return {
    draft,
    /** Why it could not be saved; null if there is no error. */
    error: errors.body ?? null,
    change: (changed: string) => {
      draft.change({ ...draft.typed, body: changed })
      recheck(check(changed))
    },
    /** Resolves to whether it was saved. */
    save: async (): Promise<boolean> => {
      const found = check(body)
      show(found)
      if (found.body !== null) return false
      const result = await draft.save(write)
      if (!result.success) show({ body: result.error })
      return result.success
    },
  }
}

function check(body: string) {
  return { body: body.trim() === '' ? 'Please enter an update' : null }
}
