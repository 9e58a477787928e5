import { type SubmitEvent, useId, useRef, useState } from 'react'
import { isRecord } from '#shared/fields.ts'
import { CATEGORY_NAME_MAX_LENGTH } from '#shared/limits.ts'
import { useDraft } from '#web/lib/drafts.ts'
import type { ActionResult } from '#web/data/change-list.ts'
import { DraftOffer } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/fields.tsx'

/** A name that was typed, and the id it would have been saved under: it may have been, with the answer lost. */
type CategoryDraft = { id: string; name: string }

function isCategoryDraft(value: unknown): value is CategoryDraft {
  return isRecord(value) && typeof value['id'] === 'string' && typeof value['name'] === 'string'
}

interface AddCategoryDialogProps {
  id: string
  onSave: (id: string, name: string) => Promise<ActionResult>
  onClose: () => void
}

/** Asks for the name of a new category. It stays open, with what was typed, until the category is saved. */
export function AddCategoryDialog({ id, onSave, onClose }: AddCategoryDialogProps) {
  const formId = useId()
  const inputRef = useRef<HTMLInputElement>(null)
  const busy = useRef(false)
  const [typed, setTyped] = useState<CategoryDraft>({ id, name: '' })
  const name = typed.name.trim()
  const draft = useDraft(['category'], name === '' ? null : typed, isCategoryDraft)
  const [offered, setOffered] = useState(draft.before)
  const [error, setError] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)

  const save = async () => {
    busy.current = true
    setSaving(true)
    // The dialog may be closed before the answer comes: the name is kept until it is known to be saved.
    draft.keep()
    const result = await onSave(typed.id, name)
    if (result.success) draft.forget()
    else setError(result.error)
    setSaving(false)
    busy.current = false
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (busy.current) return
    setError(name === '' ? 'Please enter a category name' : null)
    if (name === '') inputRef.current?.focus()
    else void save()
  }
  const close = () => {
    if (!busy.current) draft.keep()
    onClose()
  }
  const restore = () => {
    if (offered) setTyped(offered)
    setOffered(undefined)
    inputRef.current?.focus()
  }

  return (
    <Dialog
      open
      title="Add New Category"
      subtitle="Create a new category to organize your prayers"
      initialFocusRef={inputRef}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" loading={saving}>
            Add Category
          </Button>
        </>
      }
    >
      {offered && <DraftOffer text={offered.name} onRestore={restore} />}
      <form id={formId} noValidate onSubmit={submit}>
        <TextField
          ref={inputRef}
          label="Category Name"
          placeholder="Enter category name"
          autoComplete="off"
          maxLength={CATEGORY_NAME_MAX_LENGTH}
          required
          value={typed.name}
          error={error}
          onChange={(event) => {
            setTyped({ ...typed, name: event.currentTarget.value })
            setError(null)
          }}
        />
      </form>
    </Dialog>
  )
}
