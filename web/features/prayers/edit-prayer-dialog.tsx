import { useState } from 'react'
import { useCategories } from '#web/data/categories.ts'
import type { ActionResult } from '#web/data/changes.ts'
import { type Prayer, type PrayerFields, usePrayerActions } from '#web/data/prayers.ts'
import type { UpdateDraft } from '#web/data/update-form.ts'
import { shortName } from '#web/lib/short-name.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { PrayerDialog } from './prayer-dialog.tsx'
import {
  changedFields,
  formOf,
  type PrayerForm,
  prayerFieldsOf,
  selectableCategories,
} from './prayer-form.ts'
import { PrayerUpdates, type UnsavedUpdates, UnsavedUpdatesContext } from './prayer-updates.tsx'

interface EditPrayerDialogProps {
  prayer: Prayer
  /** Whether the form begins with its draft. */
  restore?: boolean | undefined
  /** The draft with which the form of an update begins. */
  updateDraft?: UpdateDraft | undefined
  onClose: () => void
}

/** Edits a prayer and its updates. It needs nothing of the screen that it was opened from. */
export function EditPrayerDialog({ prayer, restore, updateDraft, onClose }: EditPrayerDialogProps) {
  const { change } = usePrayerActions()
  const categories = useCategories().rows ?? []
  const announce = useAnnounce()
  const [unsavedUpdates] = useState<UnsavedUpdates>(() => new Set())
  const save = async (_: string, form: PrayerForm): Promise<ActionResult> => {
    const hasUpdates = unsavedUpdates.size > 0
    for (const saveUpdate of unsavedUpdates)
      if (!(await saveUpdate())) return { success: false, error: 'The update could not be saved' }
    const changed = changedFields<PrayerFields>(prayer, prayerFieldsOf(form))
    const hasChanged = Object.keys(changed).length > 0
    const result: ActionResult = hasChanged ? await change(prayer, changed) : { success: true }
    if (result.success) {
      onClose()
      // Says where the prayer went if it was moved.
      const target = categories.find(({ id }) => id === changed.category_id)
      if (hasChanged || hasUpdates) announce(target ? `Moved to ${shortName(target.name)}` : 'Prayer updated')
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
    >
      <UnsavedUpdatesContext value={unsavedUpdates}>
        <PrayerUpdates prayer={prayer} draft={updateDraft} />
      </UnsavedUpdatesContext>
    </PrayerDialog>
  )
}
