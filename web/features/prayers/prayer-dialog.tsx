import { useId, useRef } from 'react'
import type { ActionResult } from '#web/data/change-list.ts'
import { DraftOffer } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { PrayerFieldset } from './prayer-fieldset.tsx'
import type { PrayerForm } from './prayer-form.ts'
import type { PrayerCategory } from './prayer-category.ts'
import { usePrayerForm } from './use-prayer-form.ts'

/** The words that differ between adding and editing. */
const WORDS = {
  add: { title: 'Add New Prayer', subtitle: 'Create a new prayer request', submit: 'Add Prayer' },
  edit: { title: 'Edit Prayer', subtitle: 'Update your prayer request details', submit: 'Update Prayer' },
}

interface PrayerDialogProps {
  mode: 'add' | 'edit'
  id: string
  start: PrayerForm
  categories: readonly PrayerCategory[]
  /** Saves under the given id, which is another than `id` when a draft was brought back. */
  onSave: (id: string, form: PrayerForm) => Promise<ActionResult>
  onClose: () => void
}

/** Adds or edits one prayer. It stays open, with all that was typed, until the prayer is saved. */
export function PrayerDialog({ mode, id, start, categories, onSave, onClose }: PrayerDialogProps) {
  const formId = useId()
  const nameRef = useRef<HTMLInputElement>(null)
  const prayer = usePrayerForm({ mode, id, start, categories, onSave })
  const close = () => {
    prayer.keepDraft()
    onClose()
  }
  return (
    <Dialog
      open
      title={WORDS[mode].title}
      subtitle={WORDS[mode].subtitle}
      initialFocusRef={nameRef}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" loading={prayer.saving}>
            {WORDS[mode].submit}
          </Button>
        </>
      }
    >
      {prayer.draft && (
        <DraftOffer text={prayer.draft.form.name || prayer.draft.form.note} onRestore={prayer.restoreDraft} />
      )}
      <PrayerFieldset
        formId={formId}
        nameRef={nameRef}
        form={prayer.form}
        errors={prayer.errors}
        categories={categories}
        withResolved={mode === 'edit'}
        onChange={prayer.change}
        onSubmit={prayer.submit}
      />
      {prayer.refusal !== null && (
        <p role="alert" className="text-sm text-danger">
          {prayer.refusal}
        </p>
      )}
    </Dialog>
  )
}
