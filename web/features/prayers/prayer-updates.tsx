import {
  type RefObject,
  type SubmitEvent,
  createContext,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { UPDATE_MAX_LENGTH } from '#shared/limits.ts'
import { type PrayerUpdate, usePrayerUpdateActions, useUpdatesOf } from '#web/data/prayer-updates.ts'
import type { Prayer } from '#web/data/prayers.ts'
import {
  CHANGED_UPDATE_DRAFTS,
  updateDraftSchema,
  NEW_UPDATE_DRAFTS,
  type UpdateDraft,
  useUpdateForm,
} from '#web/data/update-form.ts'
import { dayText } from '#web/lib/days/day-text.ts'
import { localDay, useToday } from '#web/lib/days/days.ts'
import { type DraftName, readDrafts } from '#web/lib/storage/drafts.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/fields.tsx'
import { keepFocus, useFocusAfterRemoval } from '#web/ui/focus.ts'
import { PencilIcon, PlusIcon, TrashIcon } from '#web/ui/icons.tsx'
import { DraftOffer } from '#web/ui/draft-offer.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'
import { Note } from './note.tsx'
import { submitOnCtrlEnter } from './prayer-dialog.tsx'

interface PrayerUpdatesProps {
  prayer: Prayer
  /** The draft with which one of its forms begins. */
  draft?: UpdateDraft | undefined
}

/** With more updates than this, the older ones are shown on request. */
const FIRST_UPDATES = 5

/** For each form in which an update is being written, a function that saves it and resolves to whether that succeeded. */
export type UnsavedUpdates = Set<() => Promise<boolean>>

/** The dialog around the forms saves them too: nobody expects its button to leave out a part of what they see. */
export const UnsavedUpdatesContext = createContext<UnsavedUpdates>(new Set())

/** The part of the prayer dialog with the updates of the prayer, newest first. Each change is saved at once. */
export function PrayerUpdates({ prayer, draft }: PrayerUpdatesProps) {
  const updates = useUpdatesOf(prayer.id)
  const { deleteUpdate } = usePrayerUpdateActions()
  const today = useToday()
  const [allShown, setAllShown] = useState(false)
  const [announcement, setAnnouncement] = useState('')
  const [deleting, setDeleting] = useState<PrayerUpdate | null>(null)
  const [error, setError] = useState<string | null>(null)
  const ref = useRef<HTMLElement>(null)
  const shown = allShown ? updates : updates.slice(0, FIRST_UPDATES)

  const focusHandlers = useFocusAfterRemoval(
    ref,
    shown.map(({ id }) => id),
  )

  const showAll = () => {
    keepFocus(
      () => setAllShown(true),
      () => ref.current?.querySelectorAll('li')[FIRST_UPDATES]?.querySelector('button'),
    )
    setAnnouncement(`All ${updates.length} updates are shown`)
  }
  const remove = async (update: PrayerUpdate) => {
    setDeleting(null)
    const result = await deleteUpdate(update)
    setError(result.success ? null : result.error)
    setAnnouncement(result.success ? 'Update deleted' : '')
  }
  return (
    <section
      ref={ref}
      aria-label="Updates"
      className="updates relative border-t border-line pt-1 pb-2"
      {...focusHandlers}
    >
      {/* Announcements of the page are not heard while a dialog is open. */}
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <NewUpdate
        prayerId={prayer.id}
        // If the update that was changed does not exist any more, its text becomes a new one.
        draft={updates.some(({ id }) => id === draft?.update_id) ? undefined : draft}
        onAdded={() => setAnnouncement('Update added')}
      />
      {error !== null && (
        <p role="alert" className="pb-2 text-sm text-danger">
          {error}
        </p>
      )}
      <ul className="divide-y divide-line">
        {shown.map((update) => (
          <UpdateItem
            key={update.id}
            update={update}
            draft={update.id === draft?.update_id ? draft : undefined}
            day={dayText(localDay(update.created_at), today)}
            onChanged={() => setAnnouncement('Update changed')}
            onDelete={() => setDeleting(update)}
          />
        ))}
      </ul>
      {shown.length < updates.length && (
        <Button variant="ghost" className="-ms-4 text-sm" onClick={showAll}>
          Show all ({updates.length})
        </Button>
      )}
      {deleting && (
        <AlertDialog
          title={`Delete the update of ${dayText(localDay(deleting.created_at), today)}`}
          message="Are you sure you want to delete this update? This action cannot be undone."
          confirmLabel="Delete"
          onCancel={() => setDeleting(null)}
          onConfirm={() => void remove(deleting)}
        />
      )}
    </section>
  )
}

interface NewUpdateProps {
  prayerId: string
  draft: UpdateDraft | undefined
  onAdded: () => void
}

/** The heading of the updates, and the form for a new one. */
function NewUpdate({ prayerId, draft, onAdded }: NewUpdateProps) {
  const buttonRef = useRef<HTMLButtonElement>(null)
  const form = useOpenForm(draft, [...NEW_UPDATE_DRAFTS, prayerId], buttonRef)
  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3">
        <h3 className="text-lg leading-snug">Updates</h3>
        {!form.isOpen && (
          <Button ref={buttonRef} variant="ghost" className="-me-4 ms-auto text-sm" onClick={form.open}>
            <PlusIcon />
            Add an update
          </Button>
        )}
      </div>
      {form.isOpen && (
        <UpdateForm
          label="What is new?"
          submitLabel="Add"
          prayerId={prayerId}
          draft={form.wasOpened ? undefined : draft}
          focusOnOpen={form.wasOpened}
          onSaved={() => {
            form.close()
            onAdded()
          }}
          onCancel={form.close}
        />
      )}
    </>
  )
}

interface UpdateItemProps {
  update: PrayerUpdate
  draft: UpdateDraft | undefined
  /** When it was added, for example "today". */
  day: string
  onChanged: () => void
  onDelete: () => void
}

/** An update: its day and text, and buttons to change and delete it. */
function UpdateItem({ update, draft, day, onChanged, onDelete }: UpdateItemProps) {
  const editRef = useRef<HTMLButtonElement>(null)
  const form = useOpenForm(draft, [...CHANGED_UPDATE_DRAFTS, update.id], editRef)
  if (form.isOpen)
    return (
      <li className="py-3">
        <UpdateForm
          label={`Update of ${day}`}
          submitLabel="Save"
          prayerId={update.prayer_id}
          update={update}
          draft={form.wasOpened ? undefined : draft}
          focusOnOpen={form.wasOpened}
          onSaved={() => {
            form.close()
            onChanged()
          }}
          onCancel={form.close}
        />
      </li>
    )
  return (
    <li className="update grid grid-cols-[1fr_auto_auto] items-start py-1">
      <div className="min-w-0 py-2">
        <p className="text-xs text-ink-faint first-letter:uppercase">{day}</p>
        <Note text={update.body} about={`the update of ${day}`} resolved={false} printing={false} />
      </div>
      <IconButton ref={editRef} label="Edit update" detail={`of ${day}`} onClick={form.open}>
        <PencilIcon />
      </IconButton>
      <IconButton
        label="Delete update"
        detail={`of ${day}`}
        variant="danger"
        className="-me-3"
        onClick={onDelete}
      >
        <TrashIcon />
      </IconButton>
    </li>
  )
}

/**
 * Whether a form is open: from the start if there is unsaved text for it.
 *
 * @param buttonRef the button that opens it and gets the focus when it closes
 */
function useOpenForm(
  draft: UpdateDraft | undefined,
  name: DraftName,
  buttonRef: RefObject<HTMLButtonElement | null>,
) {
  const [state, setState] = useState<'closed' | 'open' | 'opened'>(() =>
    draft || readDrafts(name, updateDraftSchema).length > 0 ? 'open' : 'closed',
  )
  return {
    isOpen: state !== 'closed',
    /** Whether the user has opened it. */
    wasOpened: state === 'opened',
    open: () => setState('opened'),
    close: () =>
      keepFocus(
        () => setState('closed'),
        () => buttonRef.current,
      ),
  }
}

interface UpdateFormProps {
  label: string
  submitLabel: string
  prayerId: string
  update?: PrayerUpdate
  draft: UpdateDraft | undefined
  focusOnOpen: boolean
  onSaved: () => void
  onCancel: () => void
}

/** The text of an update. Ctrl or Cmd with Enter saves it. */
function UpdateForm({ label, submitLabel, focusOnOpen, onSaved, onCancel, ...options }: UpdateFormProps) {
  const ref = useRef<HTMLTextAreaElement>(null)
  const form = useUpdateForm(options)
  const { busy, submit } = useSubmission()
  useEffect(() => {
    if (!focusOnOpen) return
    ref.current?.focus()
    // Its buttons too, above the keyboard of a phone.
    ref.current?.form?.scrollIntoView({ block: 'nearest' })
  }, [focusOnOpen])

  const save = async () => {
    const isSaved = await form.save()
    if (isSaved) onSaved()
    else ref.current?.focus()
    return isSaved
  }
  const unsaved = useContext(UnsavedUpdatesContext)
  const saveWithDialog = useEffectEvent(save)
  useEffect(() => {
    if (!form.draft.isUnsaved) return undefined
    const saveThis = () => saveWithDialog()
    unsaved.add(saveThis)
    return () => void unsaved.delete(saveThis)
  }, [unsaved, form.draft.isUnsaved])

  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    void submit(async () => void (await save()))
  }
  const settleOffer = (settle: () => void) => {
    settle()
    ref.current?.focus()
  }
  return (
    <form noValidate className="flex flex-col gap-3" onSubmit={handleSubmit}>
      {form.draft.offered && (
        <DraftOffer
          text={form.draft.offered.body}
          onRestore={() => settleOffer(form.draft.restore)}
          onDiscard={() => settleOffer(form.draft.discard)}
        />
      )}
      <TextArea
        ref={ref}
        label={label}
        rows={3}
        maxLength={UPDATE_MAX_LENGTH}
        value={form.draft.typed.body}
        error={form.error}
        onChange={(event) => form.change(event.currentTarget.value)}
        onKeyDown={submitOnCtrlEnter}
      />
      <div className="flex flex-wrap justify-end gap-2 pb-2">
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={busy}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}
