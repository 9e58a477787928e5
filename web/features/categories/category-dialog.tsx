import { type SubmitEvent, useId, useRef, useState } from 'react'
import { CATEGORY_NAME_MAX_LENGTH } from '#shared/limits.ts'
import type { ActionResult } from '#web/data/changes.ts'
import type { DraftName } from '#web/lib/storage/drafts.ts'
import { useDraft } from '#web/lib/storage/use-draft.ts'
import { DraftOffer } from '#web/ui/draft-offer.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/fields.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'
import { type CategoryDraft, categoryDraftSchema, NEW_CATEGORY_DRAFTS } from './category-drafts.ts'

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
  /** Unsaved text to begin with. */
  draft?: CategoryDraft | undefined
  onSave: (id: string, name: string) => Promise<ActionResult>
  onClose: () => void
}

/** The form for a category's name. It keeps the name if saving fails, and offers it again if it was closed. */
export function CategoryDialog(props: CategoryDialogProps) {
  const { mode, id, initialName = '', draftName = NEW_CATEGORY_DRAFTS, onSave, onClose } = props
  const texts = TEXTS[mode]
  const formId = useId()
  const inputRef = useRef<HTMLInputElement>(null)
  const [category, setCategory] = useState(props.draft ?? { id, name: initialName })
  const name = category.name.trim()
  const isUnsaved = name !== '' && category.name !== initialName
  const draft = useDraft(draftName, category.id, isUnsaved ? category : null, categoryDraftSchema)
  const [offeredDraft, setOfferedDraft] = useState(props.draft ? undefined : draft.before)
  const [error, setError] = useState<string | null>(null)
  const { busy, submit } = useSubmission()

  const save = async () => {
    // The dialog may be closed before the response arrives.
    draft.keep()
    const result = await onSave(category.id, name)
    if (result.success) draft.forget()
    else setError(result.error)
  }
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    if (busy) return
    setError(name === '' ? 'Please enter a category name' : null)
    if (name === '') inputRef.current?.focus()
    else void submit(save)
  }
  const close = () => {
    if (!busy) draft.keep()
    onClose()
  }
  const restore = () => {
    if (offeredDraft) setCategory(offeredDraft)
    setOfferedDraft(undefined)
    inputRef.current?.focus()
  }
  const discard = () => {
    draft.forget(offeredDraft?.id)
    setOfferedDraft(undefined)
    inputRef.current?.focus()
  }

  return (
    <Dialog
      title={texts.title}
      subtitle={texts.subtitle}
      initialFocusRef={inputRef}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" loading={busy}>
            {texts.submit}
          </Button>
        </>
      }
    >
      {offeredDraft && <DraftOffer text={offeredDraft.name} onRestore={restore} onDiscard={discard} />}
      <form id={formId} noValidate onSubmit={handleSubmit}>
        <TextField
          ref={inputRef}
          label="Category Name"
          placeholder="Enter category name"
          autoComplete="off"
          maxLength={CATEGORY_NAME_MAX_LENGTH}
          required
          value={category.name}
          error={error}
          onChange={(event) => {
            setCategory({ ...category, name: event.currentTarget.value })
            setError(null)
          }}
        />
      </form>
    </Dialog>
  )
}
