import { type SubmitEvent, useId, useRef, useState } from 'react'
import { is, object, string } from 'valibot'
import { CATEGORY_NAME_MAX_LENGTH } from '#shared/limits.ts'
import type { ActionResult } from '#web/data/changes.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import { DraftOffer } from '#web/ui/messages.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/fields.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'

/** The name typed, and the id it is saved under: saving again must not add a second category. */
const DRAFT = object({ id: string(), name: string() })
const isDraft = (value: unknown) => is(DRAFT, value)

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
  /** Identifies the draft of unsaved text. */
  draftName?: readonly string[]
  onSave: (id: string, name: string) => Promise<ActionResult>
  onClose: () => void
}

const NEW_CATEGORY = ['category']

/** The form for a category's name. It keeps the name if saving fails, and offers it again if it was closed. */
export function CategoryDialog(props: CategoryDialogProps) {
  const { mode, id, initialName = '', draftName = NEW_CATEGORY, onSave, onClose } = props
  const texts = TEXTS[mode]
  const formId = useId()
  const inputRef = useRef<HTMLInputElement>(null)
  const [category, setCategory] = useState({ id, name: initialName })
  const name = category.name.trim()
  const isUnsaved = name !== '' && category.name !== initialName
  const draft = useDraft(draftName, isUnsaved ? category : null, isDraft)
  const [offeredDraft, setOfferedDraft] = useState(draft.before)
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
      {offeredDraft && <DraftOffer text={offeredDraft.name} onRestore={restore} />}
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
