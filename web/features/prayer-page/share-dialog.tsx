import { type SubmitEvent, useId, useRef, useState } from 'react'
import type { Prayer } from '#web/data/prayers.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/fields.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'

interface ShareDialogProps {
  prayer: Prayer
  onClose: () => void
}

/** Shows the text that is passed on, which the user can change first. Before that, nothing leaves the device. */
export function ShareDialog({ prayer, onClose }: ShareDialogProps) {
  const formId = useId()
  const textRef = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(() => textToShare(prayer))
  const [error, setError] = useState<string | null>(null)
  const { busy, submit } = useSubmission()
  const announce = useAnnounce()
  const canShare = 'share' in navigator

  const fail = (message: string) => {
    setError(message)
    textRef.current?.select()
  }
  const submitWith = (send: () => Promise<void>) => {
    setError(null)
    if (text.trim() === '') fail('Please enter a text')
    else void submit(send)
  }
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      onClose()
      announce('Copied')
    } catch {
      // Browsers have no clipboard on plain http.
      fail('This browser could not copy the text. It is selected, so that you can copy it.')
    }
  }
  const share = async () => {
    try {
      await navigator.share({ text })
      onClose()
    } catch (failure) {
      const isCancelled = failure instanceof DOMException && failure.name === 'AbortError'
      if (!isCancelled) fail('This browser could not share the text. You can copy it instead.')
    }
  }
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    submitWith(canShare ? share : copy)
  }
  return (
    <Dialog
      title="Share"
      subtitle="Only this text is passed on. You can change it."
      initialFocusRef={textRef}
      onClose={onClose}
      footer={
        <>
          {canShare ? (
            <Button onClick={() => submitWith(copy)}>Copy</Button>
          ) : (
            <Button onClick={onClose}>Cancel</Button>
          )}
          <Button type="submit" form={formId} variant="primary" loading={busy}>
            {canShare ? 'Share' : 'Copy'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={handleSubmit}>
        <TextArea
          ref={textRef}
          label="Text"
          rows={6}
          value={text}
          error={error}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setError(null)
          }}
        />
      </form>
    </Dialog>
  )
}

function textToShare({ person_name: name, note }: Prayer): string {
  return note === null || note.trim() === ''
    ? `Please pray for ${name}.`
    : `Please pray for ${name}: ${note.trim()}`
}
