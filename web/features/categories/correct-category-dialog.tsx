import { useCategoryActions } from '#web/data/category-actions.ts'
import type { RejectedForm } from '#web/data/rejected-changes.ts'
import { CategoryDialog } from './category-dialog.tsx'

interface CorrectCategoryDialogProps {
  /** Id of the change that could not be saved. */
  changeId: string
  form: Extract<RejectedForm, { kind: 'category' }>
  onSaved: () => void
  onClose: () => void
}

/** Corrects the name of a category that could not be saved. */
export function CorrectCategoryDialog({ changeId, form, onSaved, onClose }: CorrectCategoryDialogProps) {
  const { id, row } = form
  const actions = useCategoryActions()
  const save = async (enteredId: string, name: string) => {
    const result = row ? await actions.change(row.id, { name }) : await actions.add(enteredId, name)
    if (result.success) onSaved()
    return result
  }
  return (
    <CategoryDialog
      mode={row ? 'edit' : 'add'}
      id={id}
      initialName={form.name}
      draftName={['rejected', changeId]}
      onSave={save}
      onClose={onClose}
    />
  )
}
