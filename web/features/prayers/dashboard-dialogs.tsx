import type { Prayer, PrayerActions } from '#web/data/prayers.ts'
import { forgetSharedText, sharedTexts } from '#web/lib/navigation/requested-prayer.ts'
import { shortName } from '#web/lib/short-name.ts'
import { useStore } from '#web/lib/storage/store.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { AnswerDialog } from './answer-dialog.tsx'
import type { CardCategory } from './category-card.tsx'
import { EditPrayerDialog } from './edit-prayer-dialog.tsx'
import { PrayerDialog } from './prayer-dialog.tsx'
import { emptyForm, newPrayerOf, type PrayerForm } from './prayer-form.ts'
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
  const shared = useStore(sharedTexts)?.map(({ text }) => text)
  const close = () => onClose(dialog)
  const add = async (id: string, form: PrayerForm) => {
    const result = await actions.add(id, newPrayerOf(form))
    if (result.success) {
      close()
      announce('Prayer added')
    }
    return result
  }

  switch (dialog.kind) {
    case 'add':
      return (
        <PrayerDialog
          key={dialog.id}
          mode="add"
          id={dialog.id}
          initial={emptyForm(dialog.categoryId)}
          sharedTexts={shared}
          onSharedTextSettled={forgetSharedText}
          restore={dialog.restore}
          categories={categories}
          onSave={add}
          onClose={close}
        />
      )
    case 'edit':
      return (
        <EditPrayerDialog
          key={dialog.prayer.id}
          prayer={dialog.prayer}
          restore={dialog.restore}
          onClose={close}
        />
      )
    case 'answer':
      return <AnswerDialog prayer={dialog.prayer} restore={dialog.restore} onClose={close} />
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
