import { type KeyboardEvent, type SubmitEvent, useId, useRef } from 'react'
import { UPDATE_MAX_LENGTH } from '#shared/limits.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { useUpdateForm } from '#web/data/update-form.ts'
import { shortName } from '#web/lib/short-name.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { DraftOffer } from '#web/ui/draft-offer.tsx'
import { TextArea } from '#web/ui/fields.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'

/** Adds an update to a prayer. It keeps the text if saving fails, and offers it again if it was closed. */
export function UpdateDialog({ prayer, onClose }: { prayer: Prayer; onClose: () => void }) {
  const announce = useAnnounce()
  const formId = useId()
  const input = useRef<HTMLTextAreaElement>(null)
  const form = useUpdateForm({ prayerId: prayer.id })
  const { busy, submit } = useSubmission()

  const save = (event: SubmitEvent) => {
    event.preventDefault()
    void submit(async () => {
      if (await form.save()) {
        onClose()
        announce('Update added')
      } else input.current?.focus()
    })
  }
  const saveOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
  }
  const settleOffer = (settle: () => void) => {
    settle()
    input.current?.focus()
  }
  return (
    <Dialog
      title="Add an update"
      subtitle={shortName(prayer.person_name)}
      initialFocusRef={input}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" loading={busy}>
            Add
          </Button>
        </>
      }
    >
      {form.draft.offered && (
        <DraftOffer
          text={form.draft.offered.body}
          onRestore={() => settleOffer(form.draft.restore)}
          onDiscard={() => settleOffer(form.draft.discard)}
        />
      )}
      <form id={formId} noValidate onSubmit={save}>
        <TextArea
          ref={input}
          label="What is new?"
          rows={4}
          maxLength={UPDATE_MAX_LENGTH}
          value={form.draft.typed.body}
          error={form.error}
          onKeyDown={saveOnEnter}
          onChange={(event) => form.change(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  )
}
