import { type KeyboardEvent, type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { CATEGORY_NAME_MAX_LENGTH } from '#shared/limits.ts'
import type { ActionResult } from '#web/data/changes.ts'
import { deleteDraft, saveDraft } from '#web/lib/storage/drafts.ts'
import { IconButton } from '#web/ui/button.tsx'
import { CONTROL, limitMessage } from '#web/ui/fields.tsx'
import { CheckIcon, CloseIcon } from '#web/ui/icons.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'
import { CATEGORY_NAME_DRAFTS, type CategoryDraft } from './category-drafts.ts'

interface CategoryNameEditorProps {
  /** The category with its current name. */
  category: CategoryDraft
  /** A name that was typed earlier but not saved. */
  draft?: string | undefined
  onSave: (name: string) => Promise<ActionResult>
  onClose: () => void
  /** Shown next to the field. */
  children?: ReactNode
}

/**
 * The field for a new name, in place of the name and with the text at the same position. Enter saves, Esc cancels; it
 * stays open if saving fails. If it disappears otherwise, what was typed is kept as a draft.
 */
export function CategoryNameEditor({ category, draft, onSave, onClose, children }: CategoryNameEditorProps) {
  const { id, name } = category
  const [text, setText] = useState(draft ?? name)
  const { busy, submit } = useSubmission()
  const inputRef = useRef<HTMLInputElement>(null)
  useEffect(() => inputRef.current?.select(), [])

  const trimmed = text.trim()
  const type = (typed: string) => {
    setText(typed)
    const isUnsaved = typed.trim() !== '' && typed.trim() !== name
    if (isUnsaved) saveDraft([...CATEGORY_NAME_DRAFTS, id], { id, name: typed } satisfies CategoryDraft)
    else deleteDraft([...CATEGORY_NAME_DRAFTS, id])
  }
  const close = () => {
    deleteDraft([...CATEGORY_NAME_DRAFTS, id])
    onClose()
  }
  const save = async () => {
    const result = await onSave(trimmed)
    if (result.success) close()
  }
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    if (trimmed === name) close()
    else if (trimmed !== '') void submit(save)
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
  }
  const limit = limitMessage(text.length, CATEGORY_NAME_MAX_LENGTH)
  return (
    <form className="category-row" onSubmit={handleSubmit}>
      <div className="category-name">
        <input
          ref={inputRef}
          type="text"
          dir="auto"
          aria-label="Category Name"
          autoComplete="off"
          maxLength={CATEGORY_NAME_MAX_LENGTH}
          className={`${CONTROL} text-left font-serif text-lg`}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={handleKeyDown}
        />
        {children}
      </div>
      <div className="category-actions">
        <IconButton type="submit" label="Save changes" variant="success" aria-disabled={busy || undefined}>
          {busy ? <Spinner /> : <CheckIcon />}
        </IconButton>
        <IconButton label="Cancel editing" onClick={close}>
          <CloseIcon />
        </IconButton>
      </div>
      {limit !== null && (
        <p role="status" className="text-sm text-ink-soft">
          {limit}
        </p>
      )}
    </form>
  )
}
