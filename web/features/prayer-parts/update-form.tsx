import { useEffect, useRef, useState } from 'react'
import { type InferOutput, nullable, object, string } from 'valibot'
import { UPDATE_MAX_LENGTH } from '#shared/limits.ts'
import type { ActionResult } from '#web/data/make-change.ts'
import { usePrayerUpdateActions } from '#web/data/prayer-update-actions.ts'
import type { PrayerUpdate } from '#web/data/prayer-updates.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { newId } from '#web/lib/new-id.ts'
import { shortName } from '#web/lib/short-name.ts'
import { readDrafts } from '#web/lib/storage/drafts.ts'
import { useDraft } from '#web/lib/storage/use-draft.ts'
import { Button } from '#web/ui/button.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { FormDraft } from '#web/ui/draft-offer.tsx'
import { TextArea } from '#web/ui/fields.tsx'
import { useForm } from '#web/ui/use-form.ts'

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

interface UpdateOptions {
  prayerId: string
  /** The update that is changed; null for a new one. */
  update?: PrayerUpdate | null
  /** The draft to begin with. */
  draft?: UpdateDraft | undefined
  onSaved: () => void
}

/** The text of an update that is being written. */
function useUpdateForm({ prayerId, update = null, draft: restored, onSaved }: UpdateOptions) {
  const { addUpdate, changeUpdate } = usePrayerUpdateActions()
  const ref = useRef<HTMLTextAreaElement>(null)
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
    ofSaved: shown
      ? undefined
      : ({ id, body: saved, ...others }) => ({
          form: [...CHANGED_UPDATE_DRAFTS, id],
          typed: { ...others, id: newId(), update_id: id, body: saved.trim() },
        }),
  })
  const body = draft.typed.body.trim()
  const write = ({ id }: UpdateDraft): Promise<ActionResult> => {
    if (!shown) return addUpdate({ prayer_id: prayerId, body }, id)
    const { body: before } = draft.base
    return body === before
      ? Promise.resolve({ success: true })
      : changeUpdate({ ...shown, body: before }, body)
  }
  const form = useForm({
    check: (read) => ({ body: read('body').trim() === '' ? 'Please enter an update' : null }),
    save: async () => {
      const result = await draft.save(write)
      return result.success ? onSaved() : { errors: { body: result.error } }
    },
  })
  return { ref, draft, form }
}

interface UpdateFieldProps {
  update: ReturnType<typeof useUpdateForm>
  label: string
  rows: number
}

function UpdateField({ update: { ref, draft, form }, ...field }: UpdateFieldProps) {
  return (
    <>
      <FormDraft
        draft={draft}
        textOf={({ body }) => body}
        onSettled={() => {
          form.show({})
          ref.current?.focus()
        }}
      />
      <TextArea
        ref={ref}
        {...field}
        name="body"
        maxLength={UPDATE_MAX_LENGTH}
        value={draft.typed.body}
        error={form.errors.body}
        onChange={(event) => draft.change({ ...draft.typed, body: event.currentTarget.value })}
      />
    </>
  )
}

interface UpdateFormProps extends UpdateOptions {
  label: string
  submitLabel: string
  focusOnOpen: boolean
  onCancel: () => void
}

/** The form for an update, in the timeline of its prayer. */
export function UpdateForm({ label, submitLabel, focusOnOpen, onCancel, ...options }: UpdateFormProps) {
  const update = useUpdateForm(options)
  const { ref, form } = update
  useEffect(() => {
    if (!focusOnOpen) return
    ref.current?.focus()
    // Its buttons too, above the keyboard of a phone.
    ref.current?.form?.scrollIntoView({ block: 'nearest' })
  }, [focusOnOpen, ref])
  return (
    <form {...form.props} className="flex flex-col gap-3">
      <UpdateField update={update} label={label} rows={3} />
      <div className="flex flex-wrap justify-end gap-2 pb-2">
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" loading={form.busy}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}

interface UpdateDialogProps {
  prayer: Prayer
  onAdded: () => void
  onClose: () => void
}

/** Adds an update to a prayer. It keeps the text if saving fails, and offers it again if it was closed. */
export function UpdateDialog({ prayer, onAdded, onClose }: UpdateDialogProps) {
  const onSaved = () => {
    onClose()
    onAdded()
  }
  const update = useUpdateForm({ prayerId: prayer.id, onSaved })
  return (
    <FormDialog
      title="Add an update"
      subtitle={shortName(prayer.person_name)}
      initialFocusRef={update.ref}
      form={update.form}
      submitLabel="Add"
      onClose={onClose}
    >
      <UpdateField update={update} label="What is new?" rows={4} />
    </FormDialog>
  )
}
