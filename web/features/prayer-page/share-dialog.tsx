import { useRef } from 'react'
import { copyText } from '#web/lib/copy-text.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextArea } from '#web/ui/fields.tsx'
import { type ReadField, useForm } from '#web/ui/use-form.ts'

interface ShareDialogProps {
  name: string
  /** What to pray for; empty if nothing is written. */
  request: string
  onClose: () => void
}

/** Shows the text that is passed on, which the user can change first. Before that, nothing leaves the device. */
export function ShareDialog({ name, request, onClose }: ShareDialogProps) {
  const textRef = useRef<HTMLTextAreaElement>(null)
  const announce = useAnnounce()
  const canShare = 'share' in navigator

  const failed = (message: string) => ({ errors: { text: message }, select: true })
  const copy = async (read: ReadField) => {
    if (!(await copyText(read('text'))))
      return failed('This browser could not copy the text. It is selected, so that you can copy it.')
    onClose()
    announce('Copied')
    return undefined
  }
  const share = async (read: ReadField) => {
    try {
      await navigator.share({ text: read('text') })
      onClose()
    } catch (failure) {
      const isCancelled = failure instanceof DOMException && failure.name === 'AbortError'
      return isCancelled
        ? undefined
        : failed('This browser could not share the text. You can copy it instead.')
    }
  }
  const form = useForm({
    check: (read) => ({ text: read('text').trim() === '' ? 'Please enter a text' : null }),
    save: canShare ? share : copy,
  })
  return (
    <FormDialog
      title="Share"
      subtitle="Only this text is passed on. You can change it."
      initialFocusRef={textRef}
      form={form}
      submitLabel={canShare ? 'Share' : 'Copy'}
      otherButton={canShare && <Button onClick={() => form.submit(copy)}>Copy</Button>}
      onClose={onClose}
    >
      <TextArea
        ref={textRef}
        label="Text"
        name="text"
        defaultValue={request === '' ? `Please pray for ${name}.` : `Please pray for ${name}: ${request}`}
        error={form.errors.text}
      />
    </FormDialog>
  )
}
