import { useRef, useState } from 'react'
import { object, string } from 'valibot'
import { CATEGORY_NAME_MAX_LENGTH } from '#shared/limits.ts'
import { useCategoryActions } from '#web/data/category-actions.ts'
import type { ActionResult } from '#web/data/make-change.ts'
import type { RejectedForm } from '#web/data/rejected-changes.ts'
import type { DraftName } from '#web/lib/storage/drafts.ts'
import { useDraft } from '#web/lib/storage/use-draft.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { FormDraft } from '#web/ui/draft-offer.tsx'
import { TextField } from '#web/ui/fields.tsx'
import { useForm } from '#web/ui/use-form.ts'

/** The name typed, and the id it is saved under: saving again must not add a second category. */
export const categoryDraftSchema = object({ id: string(), name: string() })

/** The names of the drafts of new categories, and of changed names. */
export const NEW_CATEGORY_DRAFTS = ['new-category']
export const CHANGED_CATEGORY_DRAFTS = ['category-name']

const IS_TAKEN = 'You already have a category with this name.'

const TEXTS = {
  add: {
    title: 'Add New Category',
    subtitle: 'Create a new category to organize your prayers',
    submit: 'Add Category',
  },
  edit: { title: 'Edit Category', subtitle: 'Update the name of your category', submit: 'Update Category' },
}

interface CategoryDialogProps {
  mode: 'add' | 'edit'
  /** The id of the category. */
  id: string
  initialName?: string
  /** Identifies the drafts of unsaved text. */
  draftName?: DraftName
  /** Whether the form begins with its draft. */
  restore?: string | undefined
  /** Whether another category has this name: then the form asks once before it saves. */
  isTaken?: (name: string) => boolean
  onSave: (id: string, name: string) => Promise<ActionResult>
  onClose: () => void
}

/** The form for a category's name. It keeps the name if saving fails, and offers it again if it was closed. */
export function CategoryDialog(props: CategoryDialogProps) {
  const { mode, id, initialName = '', restore, isTaken, onSave, onClose } = props
  const texts = TEXTS[mode]
  const inputRef = useRef<HTMLInputElement>(null)
  const draft = useDraft({
    form: props.draftName ?? NEW_CATEGORY_DRAFTS,
    schema: categoryDraftSchema,
    initial: { id, name: initialName },
    restore,
    isUnsaved: (typed) => typed.name.trim() !== '' && typed.name !== initialName,
    ofSaved: mode === 'add' ? (typed) => ({ form: CHANGED_CATEGORY_DRAFTS, typed }) : undefined,
    keepsId: props.draftName !== undefined,
  })
  const name = draft.typed.name.trim()
  /** The name for which the form has asked. */
  const [askedFor, setAskedFor] = useState<string | null>(null)
  const form = useForm({
    check: (read) => ({ name: read('name').trim() === '' ? 'Please enter a category name' : null }),
    save: async () => {
      setAskedFor(name)
      if (name !== askedFor && isTaken?.(name)) return { errors: { name: IS_TAKEN } }
      const result = await draft.save((typed) => onSave(typed.id, name))
      return result.success ? undefined : { errors: { name: result.error } }
    },
  })
  return (
    <FormDialog
      title={texts.title}
      subtitle={texts.subtitle}
      initialFocusRef={inputRef}
      form={form}
      submitLabel={form.errors.name === IS_TAKEN ? 'Add Anyway' : texts.submit}
      onClose={onClose}
      before={
        <FormDraft
          draft={draft}
          textOf={(offered) => offered.name}
          onSettled={() => {
            form.show({})
            inputRef.current?.focus()
          }}
        />
      }
    >
      <TextField
        ref={inputRef}
        label="Category Name"
        name="name"
        placeholder="Enter category name"
        autoComplete="off"
        maxLength={CATEGORY_NAME_MAX_LENGTH}
        required
        value={draft.typed.name}
        error={form.errors.name}
        onChange={(event) => draft.change({ ...draft.typed, name: event.currentTarget.value })}
      />
    </FormDialog>
  )
}

interface CorrectCategoryDialogProps {
  /** Id of the change that could not be saved. */
  changeId: string
  form: Extract<RejectedForm, { kind: 'category' }>
  onSaved: () => void
  onClose: () => void
}

/** Corrects the name of a category that could not be saved. */
export function CorrectCategoryDialog({ changeId, form, onSaved, onClose }: CorrectCategoryDialogProps) {
  const { id, row, fields } = form
  const actions = useCategoryActions()
  const save = async (enteredId: string, name: string) => {
    const { name: _rejected, ...others } = fields
    const result = row
      ? await actions.change(row.id, { name, ...others })
      : await actions.add(enteredId, name, others)
    if (result.success) onSaved()
    return result
  }
  return (
    <CategoryDialog
      mode={row ? 'edit' : 'add'}
      id={id}
      initialName={fields.name}
      draftName={['rejected', changeId]}
      onSave={save}
      onClose={onClose}
    />
  )
}
