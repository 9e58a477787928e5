import { useState } from 'react'
import { useCategories } from '#web/data/categories.ts'
import type { ActionResult } from '#web/data/make-change.ts'
import { usePrayerActions } from '#web/data/prayer-actions.ts'
import { type Prayer, type PrayerFields, usePrayers } from '#web/data/prayers.ts'
import type { RejectedForm } from '#web/data/rejected-changes.ts'
import { shortName } from '#web/lib/short-name.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { PrayerDialog } from './prayer-dialog.tsx'
import {
  changedFields,
  fieldsOfNewPrayer,
  formOf,
  newPrayerOf,
  type PrayerForm,
  prayerFieldsOf,
  selectableCategories,
} from './prayer-form.ts'
import { usePrayerEvents } from './use-prayer-events.ts'

interface EditPrayerDialogProps {
  prayer: Prayer
  /** The key of the draft with which the form begins. */
  restore?: string | undefined
  onClose: () => void
}

/** Edits a prayer. It needs nothing of the screen that it was opened from. */
export function EditPrayerDialog({ prayer: given, restore, onClose }: EditPrayerDialogProps) {
  // As the form shows it: what another device changes meanwhile is not taken for a change made here.
  const [prayer] = useState(given)
  const actions = usePrayerActions()
  const { resolve } = usePrayerEvents(actions, usePrayers().error?.message ?? null)
  const categories = useCategories().rows ?? []
  const announce = useAnnounce()
  const save = async (_: string, form: PrayerForm, base: PrayerForm): Promise<ActionResult> => {
    // A draft was typed over what the prayer was then.
    const shown = { ...prayer, ...prayerFieldsOf(base) }
    const typed = changedFields<PrayerFields>(shown, prayerFieldsOf(form))
    const changed = changedFields<Partial<PrayerFields>>(prayer, typed)
    const { resolved, ...others } = changed
    if (Object.keys(changed).length === 0) {
      onClose()
      return { success: true }
    }
    if (resolved !== undefined) {
      const result = await resolve(shown, resolved, others)
      if (result.success) onClose()
      return result
    }
    const result = await actions.change(shown, others)
    if (result.success) {
      onClose()
      // Says where the prayer went if it was moved.
      const target = categories.find(({ id }) => id === others.category_id)
      announce(target ? `Moved to ${shortName(target.name)}` : 'Prayer updated')
    }
    return result
  }
  return (
    <PrayerDialog
      mode="edit"
      id={prayer.id}
      initial={formOf(prayer)}
      restore={restore}
      categories={selectableCategories(categories, prayer.category_id)}
      onSave={save}
      onClose={onClose}
    />
  )
}

interface CorrectPrayerDialogProps {
  /** Id of the change that could not be saved. */
  changeId: string
  form: Extract<RejectedForm, { kind: 'prayer' }>
  onSaved: () => void
  onClose: () => void
}

/** Corrects a prayer that could not be saved, with everything that was typed. */
export function CorrectPrayerDialog({ changeId, form, onSaved, onClose }: CorrectPrayerDialogProps) {
  const { id, row, fields } = form
  const actions = usePrayerActions()
  const before: PrayerFields = { ...row, ...fields }
  const categories = selectableCategories(useCategories().rows ?? [], before.category_id)
  const correct = (current: Prayer, entered: PrayerForm, base: PrayerForm) => {
    const [rejected, begun] = [changedFields<PrayerFields>(current, fields), prayerFieldsOf(base)]
    const shown = 'note' in rejected ? current : { ...current, note: begun.note }
    return actions.change(shown, { ...rejected, ...changedFields(begun, prayerFieldsOf(entered)) })
  }
  const save = async (enteredId: string, entered: PrayerForm, base: PrayerForm) => {
    const result = row
      ? await correct(row, entered, base)
      : await actions.add(enteredId, { ...fieldsOfNewPrayer(fields), ...newPrayerOf(entered) })
    if (result.success) onSaved()
    return result
  }
  return (
    <PrayerDialog
      mode={row ? 'edit' : 'add'}
      id={id}
      initial={formOf(before)}
      categories={categories}
      draftName={['rejected', changeId]}
      onSave={save}
      onClose={onClose}
    />
  )
}
