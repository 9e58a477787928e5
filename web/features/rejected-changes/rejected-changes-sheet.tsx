import { useRef, useState } from 'react'
import type { RejectedEntry } from '#web/data/rejected-changes.ts'
import { timeText } from '#web/lib/days/day-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { InlineError } from '#web/ui/fields.tsx'
import { keepFocus, useFocusAfterRemoval } from '#web/ui/focus.ts'
import { useSubmission } from '#web/ui/use-submission.ts'
import { ClampedText, TEXT_BUTTON, useCopyClamped } from './clamped-text.tsx'

const COPY_MESSAGES = {
  none: null,
  copied: 'Copied',
  selected: 'The text is selected: now copy it with the keyboard or by touch.',
}

interface RejectedChangesSheetProps {
  entries: readonly RejectedEntry[]
  /** Opens the dialog of a change. */
  onCorrect: (entry: RejectedEntry) => void
  onClose: () => void
}

/** Everything that could not be saved, and what can be done about it. */
export function RejectedChangesSheet({ entries, onCorrect, onClose }: RejectedChangesSheetProps) {
  const [message, setMessage] = useState('')
  const ref = useRef<HTMLUListElement>(null)
  const focus = useFocusAfterRemoval(
    ref,
    entries.map(({ id }) => id),
  )
  return (
    <Dialog
      title="Could not be saved"
      subtitle="Kept on this device until you decide what becomes of it"
      onClose={onClose}
    >
      <p role="status" className="sr-only">
        {message}
      </p>
      <ul ref={ref} className="flex flex-col divide-y divide-line border-t border-line" {...focus}>
        {entries.map((entry) => (
          <EntryItem key={entry.id} entry={entry} onCorrect={() => onCorrect(entry)} onDone={setMessage} />
        ))}
      </ul>
    </Dialog>
  )
}

interface EntryItemProps {
  entry: RejectedEntry
  onCorrect: () => void
  /** Called with what was done, for screen readers. */
  onDone: (message: string) => void
}

function EntryItem(props: EntryItemProps) {
  const { title, reason, detail, text, at } = props.entry
  const { textRef, expanded, setExpanded, copyResult, copy } = useCopyClamped(text)
  return (
    <li className="flex flex-col gap-3 py-5 last:pb-0">
      <div>
        <h3 className="line-clamp-3 min-w-0 text-lg leading-snug wrap-anywhere">{title}</h3>
        <time dateTime={at} className="text-xs text-ink-soft">
          {timeText(new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }), at)}
        </time>
      </div>
      <div className="text-sm text-ink-soft wrap-anywhere">
        <p>{reason}</p>
        {detail !== '' && <p className="text-xs">{detail}</p>}
      </div>
      {text !== '' && (
        <ClampedText ref={textRef} text={text} expanded={expanded} onExpand={setExpanded}>
          <button type="button" className={`${TEXT_BUTTON} ms-auto`} onClick={() => void copy()}>
            {copyResult === 'copied' ? 'Copied' : 'Copy the text'}
          </button>
        </ClampedText>
      )}
      <p role="status" className={copyResult === 'selected' ? 'text-sm text-ink-soft' : 'sr-only'}>
        {COPY_MESSAGES[copyResult]}
      </p>
      <Actions {...props} />
    </li>
  )
}

/** The buttons of an entry. Discarding takes two presses, in different places. */
function Actions({ entry: { form, tryAgain, discard }, onCorrect, onDone }: EntryItemProps) {
  const [isDiscarding, setDiscarding] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const { busy, submit } = useSubmission()
  const discardButton = useRef<HTMLButtonElement>(null)
  const keepButton = useRef<HTMLButtonElement>(null)
  const ask = () =>
    keepFocus(
      () => setDiscarding(true),
      () => keepButton.current,
    )
  const keep = () =>
    keepFocus(
      () => setDiscarding(false),
      () => discardButton.current,
    )
  /** @param message what is said when it is done */
  const run = (action: () => Promise<void>, message: string) =>
    void submit(async () => {
      setFailed(false)
      try {
        await action()
        onDone(message)
      } catch {
        setFailed(true)
      }
    })
  return (
    <>
      {hasFailed && <InlineError>This could not be stored. Please try again later.</InlineError>}
      {isDiscarding ? (
        <div className="flex flex-wrap items-center gap-2">
          <Button variant="danger" loading={busy} onClick={() => run(discard, 'Discarded')}>
            Discard for good
          </Button>
          <Button ref={keepButton} onClick={keep}>
            Keep
          </Button>
        </div>
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          {form && <Button onClick={onCorrect}>Change and try again</Button>}
          {tryAgain && (
            <Button loading={busy} onClick={() => run(tryAgain, 'It will be sent again')}>
              Try again
            </Button>
          )}
          <Button ref={discardButton} variant="ghost" className="-me-4 ms-auto text-ink-soft" onClick={ask}>
            Discard
          </Button>
        </div>
      )}
    </>
  )
}
