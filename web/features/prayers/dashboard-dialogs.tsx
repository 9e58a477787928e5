import type { ActionResult } from '#web/data/changes.ts'
import type { Prayer, PrayerActions, PrayerFields } from '#web/data/prayers.ts'
import { shortName } from '#web/lib/short-name.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { AnswerDialog } from './answer-dialog.tsx'
import type { CardCategory } from './category-card.tsx'
import { PrayerDialog } from './prayer-dialog.tsx'
import {
  changedFields,
  emptyForm,
  formOf,
  newPrayerOf,
  type PrayerForm,
  prayerFieldsOf,
} from './prayer-form.ts'
import type { OpenDialog } from './use-open-dialog.ts'

/** What belongs to unsaved texts is loaded together with the dialogs. */
export { DraftOffers } from './draft-offers.tsx'

interface DashboardDialogsProps {
  dialog: OpenDialog
  categories: readonly CardCategory[]
  actions: PrayerActions
  onClose: (dialog: OpenDialog) => void
  onDelete: (prayer: Prayer) => void
}

/** Shows the dialog that is open, and saves what was entered in it. */
export function DashboardDialogs({ dialog, categories, actions, onClose, onDelete }: DashboardDialogsProps) {
  const announce = useAnnounce()
  const close = () => onClose(dialog)
  const closeIfSaved = (result: ActionResult, message: string) => {
    if (result.success) {
      close()
      announce(message)
    }
    return result
  }
  const add = async (id: string, form: PrayerForm) =>
    closeIfSaved(await actions.add(id, newPrayerOf(form)), 'Prayer added')
  const update = async (prayer: Prayer, form: PrayerForm): Promise<ActionResult> => {
    const changed = changedFields<PrayerFields>(prayer, prayerFieldsOf(form))
    if (Object.keys(changed).length > 0)
      return closeIfSaved(await actions.update(prayer, changed), updatedText(changed, categories))
    // Nothing has changed.
    close()
    return { success: true }
  }

  switch (dialog.kind) {
    case 'add':
      return (
        <PrayerDialog
          key={dialog.id}
          mode="add"
          id={dialog.id}
          initial={emptyForm(dialog.categoryId)}
          sharedNote={dialog.request?.note}
          draft={dialog.draft}
          categories={categories}
          onSave={add}
          onClose={close}
        />
      )
    case 'edit':
      return (
        <PrayerDialog
          key={dialog.prayer.id}
          mode="edit"
          id={dialog.prayer.id}
          initial={formOf(dialog.prayer)}
          draft={dialog.draft}
          categories={categories}
          onSave={(_, form) => update(dialog.prayer, form)}
          onClose={close}
        />
      )
    case 'answer':
      return <AnswerDialog prayer={dialog.prayer} draft={dialog.draft} onClose={close} />
    case 'delete':
      return (
        <AlertDialog
          title={`Delete the prayer for ${shortName(dialog.prayer.person_name)}`}
          message="Are you sure you want to delete this prayer? This action cannot be undone."
          confirmLabel="Delete"
          onCancel={close}
          onConfirm={() => onDelete(dialog.prayer)}
        />
      )
  }
}

/** Says where a prayer went if it was moved. */
function updatedText(
  { category_id: moved }: Partial<PrayerFields>,
  categories: readonly CardCategory[],
): string {
  const target = categories.find(({ id }) => id === moved)
  return target ? `Moved to ${shortName(target.name)}` : 'Prayer updated'
}
