import { type RefObject, useEffect, useRef, useState } from 'react'
import { useLocationProperty } from 'wouter/use-browser-location'
import { UNREADABLE } from '#web/data/encryption-status.ts'
import { usePrayedMonths } from '#web/data/prayed-counts.ts'
import { type PrayerUpdate, usePrayerUpdates, useUpdatesOf } from '#web/data/prayer-updates.ts'
import { usePrayerUpdateActions } from '#web/data/prayer-update-actions.ts'
import { usePrayerActions } from '#web/data/prayer-actions.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { EntryText, Timeline } from '#web/features/prayer-parts/timeline.tsx'
import { type TimelineEntry, timelineOf } from '#web/features/prayer-parts/timeline-entries.ts'
import {
  CHANGED_UPDATE_DRAFTS,
  readUpdateDrafts,
  type UpdateDraft,
  updateDraftSchema,
  UpdateForm,
} from '#web/features/prayer-parts/update-form.tsx'
import { dayText } from '#web/lib/days/day-text.ts'
import { type Day, localDay, useToday } from '#web/lib/days/days.ts'
import { answerToRecord } from '#web/lib/navigation/navigation-state.ts'
import { readDrafts } from '#web/lib/storage/drafts.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { keepFocus, useFocusAfterRemoval } from '#web/ui/focus.ts'
import { PencilIcon, PlusIcon, TrashIcon } from '#web/ui/icons.tsx'
import { NotEncrypted } from './not-encrypted.tsx'

type UpdateEntry = Extract<TimelineEntry, { kind: 'update' }>

/** The timeline of a prayer, in which updates are added, changed and deleted. */
export function PrayerTimeline({ prayer }: { prayer: Prayer }) {
  const updates = useUpdatesOf(prayer.id)
  const today = useToday()
  const months = usePrayedMonths(prayer, today)
  const entries = timelineOf(prayer, { updates, months, today })
  const named = useLocationProperty(() => location.hash.slice(1))
  const isNamedShown = entries.some(({ id }) => id === named)
  useEffect(() => {
    // The browser has looked for it before the prayers were loaded: for example in a new tab.
    if (isNamedShown && scrollY === 0) document.getElementById(named)?.scrollIntoView({ block: 'center' })
  }, [named, isNamedShown])
  const [deleting, setDeleting] = useState<UpdateEntry | null>(null)
  const { change } = usePrayerActions()
  const { deleteUpdate } = usePrayerUpdateActions()
  const announce = useAnnounce()
  const ref = useRef<HTMLElement>(null)
  const focusHandlers = useFocusAfterRemoval(
    ref,
    entries.map(({ id }) => id),
  )
  const remove = async ({ update }: UpdateEntry) => {
    setDeleting(null)
    const result = await deleteUpdate(update)
    if (result.success) announce('Update deleted')
  }
  return (
    <section ref={ref} aria-label="Timeline" className="flex flex-col gap-2" {...focusHandlers}>
      <NewUpdate prayerId={prayer.id} updates={updates} />
      <Timeline entries={entries} highlighted={named}>
        {(entry) => {
          switch (entry.kind) {
            case 'update':
              return <UpdateItem entry={entry} onDelete={() => setDeleting(entry)} />
            case 'answer':
              return (
                <EntryText
                  entry={entry}
                  below={
                    <NotEncrypted
                      row={prayer}
                      column="answer"
                      about="the answer"
                      onEncrypt={() => change(prayer, { answer: prayer.answer })}
                    />
                  }
                >
                  <IconButton
                    label={entry.text === null ? 'Record answer' : 'Edit answer'}
                    onClick={() => answerToRecord.set({ prayerId: prayer.id })}
                  >
                    <PencilIcon />
                  </IconButton>
                </EntryText>
              )
            case 'fact':
              return <EntryText entry={entry} />
          }
        }}
      </Timeline>
      {deleting && (
        <AlertDialog
          title={`Delete the update of ${dayOf(deleting, today)}`}
          message="Are you sure you want to delete this update? This action cannot be undone."
          confirmLabel="Delete"
          onCancel={() => setDeleting(null)}
          onConfirm={() => void remove(deleting)}
        />
      )}
    </section>
  )
}

/** When an update was added, for the names of its buttons: for example "today". */
function dayOf({ update }: UpdateEntry, today: Day): string {
  return dayText(localDay(update.created_at), today)
}

interface NewUpdateProps {
  prayerId: string
  updates: readonly PrayerUpdate[]
}

/** The heading of the timeline, and the form for a new update. It begins with a text that was typed, but not saved. */
function NewUpdate({ prayerId, updates }: NewUpdateProps) {
  const buttonRef = useRef<HTMLButtonElement>(null)
  const announce = useAnnounce()
  // Before all updates are there, it is not known which ones do not exist any more.
  const { complete } = usePrayerUpdates()
  const form = useOpenForm(() => readNewDraft(prayerId, updates), buttonRef, complete)
  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3">
        <h2 className="text-xl">Timeline</h2>
        {!form.isOpen && (
          <Button ref={buttonRef} variant="ghost" className="-mr-3 pr-3 pl-3 text-sm" onClick={form.open}>
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
          draft={form.draft}
          focusOnOpen={form.wasOpened}
          onSaved={() => {
            form.close()
            announce('Update added')
          }}
          onCancel={form.close}
        />
      )}
    </>
  )
}

/** If the update that was being changed does not exist any more, its text becomes a new one. */
function readNewDraft(prayerId: string, updates: readonly PrayerUpdate[]): UpdateDraft | undefined {
  const isNew = ({ prayer_id, update_id }: UpdateDraft) =>
    prayer_id === prayerId && !updates.some(({ id }) => id === update_id)
  return readUpdateDrafts()
    .map(({ draft }) => draft)
    .find(isNew)
}

interface UpdateItemProps {
  entry: UpdateEntry
  onDelete: () => void
}

/** An update with the buttons to change and delete it, or the form in which it is changed. */
function UpdateItem({ entry, onDelete }: UpdateItemProps) {
  const { update } = entry
  const day = dayOf(entry, useToday())
  const editRef = useRef<HTMLButtonElement>(null)
  const { changeUpdate } = usePrayerUpdateActions()
  const announce = useAnnounce()
  const form = useOpenForm(
    () => readDrafts([...CHANGED_UPDATE_DRAFTS, update.id], updateDraftSchema)[0]?.draft,
    editRef,
  )
  if (form.isOpen)
    return (
      <UpdateForm
        label={`Update of ${day}`}
        submitLabel="Save"
        prayerId={update.prayer_id}
        update={update}
        draft={form.draft}
        focusOnOpen={form.wasOpened}
        onSaved={() => {
          form.close()
          announce('Update changed')
        }}
        onCancel={form.close}
      />
    )
  return (
    <EntryText
      entry={entry}
      below={
        <NotEncrypted
          row={update}
          column="body"
          about={`the update of ${day}`}
          onEncrypt={() => changeUpdate(update, update.body)}
        />
      }
    >
      {update.body !== UNREADABLE && (
        <IconButton ref={editRef} label="Edit update" detail={`of ${day}`} onClick={form.open}>
          <PencilIcon />
        </IconButton>
      )}
      <IconButton label="Delete update" detail={`of ${day}`} variant="danger" onClick={onDelete}>
        <TrashIcon />
      </IconButton>
    </EntryText>
  )
}

/**
 * Whether a form is open: from the start if there is a draft, with which it begins.
 *
 * @param buttonRef the button that opens it and gets the focus when it closes
 * @param canRead whether the draft can be read already
 */
function useOpenForm(
  readDraft: () => UpdateDraft | undefined,
  buttonRef: RefObject<HTMLButtonElement | null>,
  canRead = true,
) {
  const [state, setState] = useState<'closed' | 'open' | 'opened'>('closed')
  const [read, setRead] = useState<{ draft: UpdateDraft | undefined } | null>(null)
  if (canRead && !read) {
    const draft = readDraft()
    setRead({ draft })
    if (draft && state === 'closed') setState('open')
  }
  return {
    isOpen: state !== 'closed',
    /** Whether the user has opened it. Then it offers a draft. */
    wasOpened: state === 'opened',
    draft: state === 'open' ? read?.draft : undefined,
    open: () => setState('opened'),
    close: () =>
      keepFocus(
        () => setState('closed'),
        () => buttonRef.current,
      ),
  }
}
