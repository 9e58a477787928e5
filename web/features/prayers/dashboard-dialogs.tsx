import { useMemo } from 'react'
import { useCategories, type NamedCategory } from '#web/data/categories.ts'
import type { PrayerActions } from '#web/data/prayer-actions.ts'
import { type Prayer, usePrayers } from '#web/data/prayers.ts'
import { usePrayerListActions } from '#web/data/prayer-lists.ts'
import { countText } from '#web/lib/count-text.ts'
import { foldName } from '#web/lib/fold.ts'
import { forgetSharedText, requestedPrayer, sharedTexts } from '#web/lib/navigation/requested-prayer.ts'
import { shortName } from '#web/lib/short-name.ts'
import { useStore } from '#web/lib/storage/store.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { AddSeveralDialog, type NamedList } from './add-several-dialog.tsx'
import { AnswerDialog } from '#web/features/prayer-parts/answer-dialog.tsx'
import { DeletePrayerDialog } from '#web/features/prayer-parts/delete-prayer-dialog.tsx'
import { EditPrayerDialog } from '#web/features/prayer-parts/edit-prayer-dialog.tsx'
import { PrayerDialog } from '#web/features/prayer-parts/prayer-dialog.tsx'
import { emptyForm, newPrayerOf, type PrayerForm } from '#web/features/prayer-parts/prayer-form.ts'
import { addSeveralDialog, type OpenDialog } from '#web/features/prayer-parts/use-open-dialog.ts'

/** What belongs to unsaved texts is loaded together with the dialogs. */
export { DraftOffers } from '#web/features/prayer-parts/draft-offers.tsx'

interface DashboardDialogsProps {
  dialog: OpenDialog
  categories: readonly NamedCategory[]
  actions: PrayerActions
  onOpen: (dialog: OpenDialog) => void
  onClose: (dialog: OpenDialog) => void
  onDelete: (prayer: Prayer) => void
}

/** Shows the dialog that is open, and saves what was entered in it. */
export function DashboardDialogs(props: DashboardDialogsProps) {
  const { dialog, categories, actions, onOpen, onClose, onDelete } = props
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
  const addAnother = async (id: string, form: PrayerForm) => {
    const result = await actions.add(id, newPrayerOf(form))
    if (result.success && dialog.kind === 'add' && dialog.request) requestedPrayer.set(null)
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
          onSaveAnother={addAnother}
          onAddSeveral={(categoryId) => {
            close()
            onOpen(addSeveralDialog(categoryId))
          }}
          onClose={close}
        />
      )
    case 'add-several':
      return <ListDialog key={dialog.id} dialog={dialog} categories={categories} onClose={close} />
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
        <DeletePrayerDialog
          prayer={dialog.prayer}
          onCancel={close}
          onConfirm={() => onDelete(dialog.prayer)}
        />
      )
  }
}

interface ListDialogProps {
  dialog: Extract<OpenDialog, { kind: 'add-several' }>
  categories: readonly NamedCategory[]
  onClose: () => void
}

/** The dialog for a list of prayers, with what it has to know about those that there are. */
function ListDialog({ dialog, categories, onClose }: ListDialogProps) {
  const { rows: prayers } = usePrayers()
  const { rows: allCategories } = useCategories()
  const lists = usePrayerListActions()
  const announce = useAnnounce()
  const listedNames = useMemo(
    () => new Set(prayers?.flatMap((prayer) => (prayer.resolved ? [] : [foldName(prayer.person_name)]))),
    [prayers],
  )
  const add = async (added: readonly NamedList[]) => {
    const result = await lists.add(added)
    if (!result.success) return result
    onClose()
    const count = countText(added.flatMap((list) => list.prayers).length, 'prayer')
    const [first, ...others] = added
    const target = others.length > 0 ? `${added.length} categories` : shortName(first?.categoryName ?? '')
    announce(`${count} added to ${target}`, { undo: () => void lists.takeBack(added) })
    return result
  }
  return (
    <AddSeveralDialog
      id={dialog.id}
      categoryId={dialog.categoryId}
      restore={dialog.restore}
      categories={categories}
      hiddenCategories={allCategories?.filter((category) => !category.is_visible) ?? []}
      listedNames={listedNames}
      onAdd={add}
      onClose={onClose}
    />
  )
}
