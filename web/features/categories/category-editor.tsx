import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { CATEGORY_NAME_MAX_LENGTH } from '#shared/limits.ts'
import type { CategoryFields } from '#web/data/category-actions.ts'
import type { Category } from '#web/data/categories.ts'
import { UNREADABLE } from '#web/data/encryption-status.ts'
import type { ActionResult } from '#web/data/make-change.ts'
import { CategoryDaysField } from '#web/features/prayer-parts/weekdays-field.tsx'
import { deleteDraft, readDrafts } from '#web/lib/storage/drafts.ts'
import { useDraft } from '#web/lib/storage/use-draft.ts'
import { Button } from '#web/ui/button.tsx'
import { DraftOffer } from '#web/ui/draft-offer.tsx'
import { CONTROL, limitMessage } from '#web/ui/fields.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { categoryDraftSchema, CHANGED_CATEGORY_DRAFTS } from './category-dialog.tsx'

interface CategoryEditorProps {
  category: Pick<Category, 'id' | 'name' | 'pray_days'>
  /** Called with what was changed. */
  onSave: (fields: Partial<CategoryFields>) => Promise<ActionResult>
  onClose: () => void
  /** Shown next to the field. */
  children?: ReactNode
}

/**
 * The field for a new name, in place of the name and with the text at the same position, and below it the days. Enter saves,
 * Esc cancels; it stays open if saving fails. It begins with the name that was typed earlier but not saved.
 */
export function CategoryEditor({ category: given, onSave, onClose, children }: CategoryEditorProps) {
  // As the editor shows it: what another device changes meanwhile is not taken for a change made here.
  const [category] = useState(given)
  const { id, name } = category
  const draft = useDraft({
    form: CHANGED_CATEGORY_DRAFTS,
    schema: categoryDraftSchema,
    initial: { id, name },
    restore: true,
    isUnsaved: (typed) => typed.name.trim() !== '' && typed.name.trim() !== name,
  })
  const text = draft.typed.name
  const [days, setDays] = useState(category.pray_days)
  const inputRef = useRef<HTMLInputElement>(null)
  useEffect(() => inputRef.current?.select(), [])

  const trimmed = text.trim()
  const cancel = () => {
    draft.change({ id, name })
    onClose()
  }
  const changed: Partial<CategoryFields> = {
    ...(trimmed !== name && { name: trimmed }),
    ...(days !== category.pray_days && { pray_days: days }),
  }
  const form = useForm({
    save: async () => {
      if (trimmed === '') return
      if (Object.keys(changed).length === 0) return cancel()
      const result = await draft.save(() => onSave(changed))
      if (result.success) onClose()
    },
  })
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') cancel()
  }
  const limit = limitMessage(text.length, CATEGORY_NAME_MAX_LENGTH)
  return (
    <form className="category-row" {...form.props}>
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
          readOnly={name === UNREADABLE}
          onChange={(event) => draft.change({ id, name: event.currentTarget.value })}
          onKeyDown={handleKeyDown}
        />
        {children}
      </div>
      {limit !== null && (
        <p role="status" className="text-sm text-ink-soft">
          {limit}
        </p>
      )}
      <div className="category-days pb-2">
        <CategoryDaysField days={days} onChange={setDays} />
        <div className="mt-3 flex justify-end gap-2">
          <Button title="Cancel editing" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" title="Save changes" loading={form.busy}>
            Save
          </Button>
        </div>
      </div>
    </form>
  )
}

interface NameDraftProps {
  category: Pick<Category, 'id'>
  onRestore: () => void
  onDiscarded: () => void
}

/** Offers a name that was typed for a category, but not saved. */
export function NameDraft({ category: { id }, onRestore, onDiscarded }: NameDraftProps) {
  const [found, setFound] = useState(() =>
    readDrafts(CHANGED_CATEGORY_DRAFTS, categoryDraftSchema).find(({ draft }) => draft.id === id),
  )
  if (!found) return null
  const discard = () => {
    deleteDraft(found.name)
    setFound(undefined)
    onDiscarded()
  }
  return (
    <div className="pb-2">
      <DraftOffer text={found.draft.name} onRestore={onRestore} onDiscard={discard} />
    </div>
  )
}
