import { type SubmitEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { CATEGORY_NAME_MAX_LENGTH } from '#shared/limits.ts'
import type { ActionResult } from '#web/data/changes.ts'
import { IconButton } from '#web/ui/button.tsx'
import { CONTROL, limitMessage } from '#web/ui/fields.tsx'
import { CheckIcon, CloseIcon } from '#web/ui/icons.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'

interface CategoryNameEditorProps {
  name: string
  onSave: (name: string) => Promise<ActionResult>
  onClose: () => void
}

/** The field for a new name. Enter saves, Esc cancels; it stays open if saving fails. */
export function CategoryNameEditor({ name, onSave, onClose }: CategoryNameEditorProps) {
  const [text, setText] = useState(name)
  const { busy, submit } = useSubmission()
  const inputRef = useRef<HTMLInputElement>(null)
  useEffect(() => inputRef.current?.select(), [])

  const trimmed = text.trim()
  const save = async () => {
    const result = await onSave(trimmed)
    if (result.success) onClose()
  }
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    if (trimmed === name) onClose()
    else if (trimmed !== '') void submit(save)
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
  }
  const limit = limitMessage(text.length, CATEGORY_NAME_MAX_LENGTH)
  return (
    <form className="flex flex-wrap items-center gap-1 py-1.5" onSubmit={handleSubmit}>
      <input
        ref={inputRef}
        type="text"
        dir="auto"
        aria-label="Category Name"
        autoComplete="off"
        maxLength={CATEGORY_NAME_MAX_LENGTH}
        className={`${CONTROL} min-w-0 flex-1`}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={handleKeyDown}
      />
      <IconButton type="submit" label="Save changes" variant="success" aria-disabled={busy || undefined}>
        {busy ? <Spinner /> : <CheckIcon />}
      </IconButton>
      <IconButton label="Cancel editing" onClick={onClose}>
        <CloseIcon />
      </IconButton>
      {limit !== null && (
        <p role="status" className="basis-full text-sm text-ink-soft">
          {limit}
        </p>
      )}
    </form>
  )
}
