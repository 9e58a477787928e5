import { type KeyboardEvent, type SubmitEvent, useId, useRef, useState } from 'react'
import { isRecord } from '#shared/is-record.ts'
import { UPDATE_MAX_LENGTH } from '#shared/limits.ts'
import { usePrayerUpdateActions } from '#web/data/prayer-updates.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { newId } from '#web/lib/new-id.ts'
import { shortName } from '#web/lib/short-name.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/fields.tsx'
import { DraftOffer } from '#web/ui/draft-offer.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'

/** The text of a new update, and the id it is saved under: saving again must not add a second one. */
interface UpdateDraft {
  id: string
  body: string
}

function isUpdateDraft(value: unknown): value is UpdateDraft {
  return isRecord(value) && typeof value['id'] === 'string' && typeof value['body'] === 'string'
}

/** Adds an update to a prayer. It keeps the text if saving fails, and offers it again if it was closed. */
export function UpdateDialog({ prayer, onClose }: { prayer: Prayer; onClose: () => void }) {
  const { addUpdate } = usePrayerUpdateActions()
  const announce = useAnnounce()
  const formId = useId()
  const input = useRef<HTMLTextAreaElement>(null)
  const [update, setUpdate] = useState<UpdateDraft>(() => ({ id: newId(), body: '' }))
  const [error, setError] = useState<string | null>(null)
  const { busy, submit } = useSubmission()
  const body = update.body.trim()
  const draft = useDraft(['new-update', prayer.id], update.id, body === '' ? null : update, isUpdateDraft)
  const [offered, setOffered] = useState(draft.before)

  const save = async () => {
    draft.keep()
    const result = await addUpdate({ prayer_id: prayer.id, body }, update.id)
    if (!result.success) return setError(result.error)
    draft.forget()
    onClose()
    announce('Update added')
  }
  const trySave = () => {
    if (body !== '') return void submit(save)
    setError('Please enter an update')
    input.current?.focus()
  }
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    trySave()
  }
  const saveOnEnter = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) trySave()
  }
  const close = () => {
    if (!busy) draft.keep()
    onClose()
  }
  const restore = () => {
    if (offered) setUpdate(offered)
    setOffered(undefined)
    input.current?.focus()
  }
  const discard = () => {
    draft.forget(offered?.id)
    setOffered(undefined)
    input.current?.focus()
  }
  return (
    <Dialog
      title="Add an update"
      subtitle={shortName(prayer.person_name)}
      initialFocusRef={input}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" loading={busy}>
            Add
          </Button>
        </>
      }
    >
      {offered && <DraftOffer text={offered.body} onRestore={restore} onDiscard={discard} />}
      <form id={formId} noValidate onSubmit={handleSubmit}>
        <TextArea
          ref={input}
          label="What is new?"
          rows={4}
          maxLength={UPDATE_MAX_LENGTH}
          value={update.body}
          error={error}
          onKeyDown={saveOnEnter}
          onChange={(event) => {
            setUpdate({ ...update, body: event.currentTarget.value })
            setError(null)
          }}
        />
      </form>
    </Dialog>
  )
}
