import type { ActionResult } from '#web/data/change-list.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { announcedName } from './announced-name.ts'
import { changedFields } from './changed-fields.ts'
import type { OpenDialog } from './open-dialog.ts'
import { PrayerDialog } from './prayer-dialog.tsx'
import { emptyForm, newPrayerOf, prayerFieldsOf, formOf } from './prayer-form.ts'
import type { Prayer, PrayerActions } from '#web/data/prayers.ts'
import type { PrayerCategory } from './prayer-category.ts'

interface DashboardDialogsProps {
  dialog: OpenDialog
  categories: readonly PrayerCategory[]
  actions: PrayerActions
  onClose: (dialog: OpenDialog) => void
  onDelete: (prayer: Prayer) => void
}

/** Whichever dialog is open, wired to what it does. */
export function DashboardDialogs({ dialog, categories, actions, onClose, onDelete }: DashboardDialogsProps) {
  const announce = useAnnounce()
  const close = () => onClose(dialog)

  if (dialog.kind === 'delete')
    return (
      <AlertDialog
        open
        title={`Delete the prayer for ${announcedName(dialog.prayer.person_name)}`}
        message="Are you sure you want to delete this prayer? This action cannot be undone."
        confirmLabel="Delete"
        onCancel={close}
        onConfirm={() => onDelete(dialog.prayer)}
      />
    )

  const saved = (said: string) => (result: ActionResult) => {
    if (result.success) {
      close()
      announce(said)
    }
    return result
  }
  if (dialog.kind === 'add')
    return (
      <PrayerDialog
        key={dialog.id}
        mode="add"
        id={dialog.id}
        start={emptyForm(dialog.categoryId)}
        categories={categories}
        onSave={(id, form) => actions.add(id, newPrayerOf(form)).then(saved('Prayer added'))}
        onClose={close}
      />
    )
  return (
    <PrayerDialog
      key={dialog.prayer.id}
      mode="edit"
      id={dialog.prayer.id}
      start={formOf(dialog.prayer)}
      categories={categories}
      onSave={async (_, form) => {
        const changed = changedFields(dialog.prayer, prayerFieldsOf(form))
        if (Object.keys(changed).length > 0)
          return actions.update(dialog.prayer.id, changed).then(saved('Prayer updated'))
        // Nothing changed, so there is nothing to send and nothing to tell.
        close()
        return { success: true }
      }}
      onClose={close}
    />
  )
}
