import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { Category } from '#web/data/categories.ts'
import { usePrayerActions } from '#web/data/prayer-actions.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { useSyncStatus } from '#web/data/sync-status.ts'
import { today } from '#web/lib/days/days.ts'
import { shortcutKey } from '#web/lib/navigation/shortcuts.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ignoreSecondClick } from '#web/ui/dialog.tsx'
import { ArrowLeftIcon } from '#web/ui/page-icons.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'
import { AnswerPage } from './answer-page.tsx'
import { rememberPrayed, type PrayItems } from './pray-items.ts'
import { advance, goBack, type Outcome, record, type PrayerSession } from './session-progress.ts'
import { SESSION_KEYS, type SessionEvent } from './session-keys.ts'
import { DeletedPage, PrayerPage } from './session-pages.tsx'
import { UpdateDialog } from '#web/features/prayer-parts/update-form.tsx'
import { useSwipe, useWakeLock } from './use-touch-and-wake-lock.ts'

interface PraySessionProps {
  items: PrayItems
  session: PrayerSession
  /** The prayers of the session that can be shown. */
  shown: readonly string[]
  /** Null if it was deleted while it was shown. */
  prayer: Prayer | null
  categories: readonly Category[]
  error: ReactNode
  onLeave: () => void
}

/** A prayer session: one prayer at a time. */
export function PraySession(props: PraySessionProps) {
  const { items, session, shown, prayer, categories, error, onLeave } = props
  // Kept while it is written about, even if it is deleted elsewhere, or another tab goes on to the next one.
  const [updated, setUpdated] = useState<Prayer | null>(null)
  const [answered, setAnswered] = useState<Prayer | null>(null)
  const [addedTo, setAddedTo] = useState<string | null>(null)
  const { busy, end, ...events } = useSessionEvents({ items, shown, prayer, onAnswered: setAnswered })
  const { current, outcomes } = session
  const position = shown.indexOf(current ?? '') + 1
  const addUpdate = () => setUpdated(prayer)

  useWakeLock()
  useSessionKeys(answered ? { leave: onLeave } : { ...events, addUpdate, leave: onLeave })
  const swipe = useSwipe({ onLeft: events.prayed, onRight: events.back })

  const page = (
    <>
      {prayer ? (
        <PrayerPage
          key={prayer.id}
          prayer={prayer}
          category={categories.find(({ id }) => id === prayer.category_id)?.name}
          outcome={outcomes[prayer.id]}
        />
      ) : (
        <DeletedPage />
      )}
      <SessionActions
        isFirst={position <= 1}
        isDeleted={prayer === null}
        error={error}
        busy={busy}
        events={{ ...events, addUpdate }}
      />
    </>
  )
  return (
    <>
      {/* Where texts are typed and selected, nothing is swiped. */}
      <div data-quiet className="pray-page" {...(answered ? {} : swipe)}>
        <div
          role="progressbar"
          aria-label="Progress"
          aria-valuenow={position}
          aria-valuemax={shown.length}
          className="pray-progress"
        >
          <span style={{ width: `${(100 * position) / shown.length}%` }} />
        </div>
        <div className="flex items-center justify-between gap-2">
          <p className="text-sm text-ink-faint">
            {position} of {shown.length}
          </p>
          {/* What was done has a line of its own, so that nothing covers the prayer. */}
          <p role="status" className="min-w-0 text-sm text-ink-soft">
            {current !== null && current === addedTo && 'Update added'}
          </p>
          <Button variant="ghost" className="-mr-3" onClick={onLeave}>
            Done
          </Button>
        </div>
        {answered ? (
          <>
            {error}
            <AnswerPage
              prayer={answered}
              onDone={() => {
                setAnswered(null)
                end('answered', answered.id)
              }}
              onUndone={() => {
                setAnswered(null)
                // Other buttons appear in the place of these.
                ignoreSecondClick()
              }}
            />
          </>
        ) : (
          page
        )}
      </div>
      {/* Not in the page, where swiping or selecting text in the dialog would swipe the prayer. */}
      {updated && (
        <UpdateDialog
          prayer={updated}
          onAdded={() => setAddedTo(updated.id)}
          onClose={() => setUpdated(null)}
        />
      )}
    </>
  )
}

interface SessionActionsProps {
  isFirst: boolean
  isDeleted: boolean
  error: ReactNode
  busy: boolean
  events: Readonly<Record<Exclude<SessionEvent, 'leave'>, () => void>>
}

/** What can be done with the prayer that is shown. */
function SessionActions({ isFirst, isDeleted, error, busy, events }: SessionActionsProps) {
  const { durable } = useSyncStatus()
  return (
    <div className="pray-actions">
      {/* Here it stays in view, and covers no part of a long note. */}
      <div className="block empty:hidden">{error}</div>
      <IconButton label="Back" aria-disabled={isFirst || undefined} onClick={events.back}>
        <ArrowLeftIcon />
      </IconButton>
      {isDeleted ? (
        <Button variant="primary" onClick={events.prayed}>
          Next
        </Button>
      ) : (
        <>
          <Button
            variant="primary"
            aria-keyshortcuts="Space Enter ArrowRight"
            // On the device, saving takes a moment that nothing has to be shown for.
            loading={busy && !durable}
            onClick={events.prayed}
          >
            Prayed
          </Button>
          <Button variant="ghost" aria-keyshortcuts="S" className="max-sm:px-2.5" onClick={events.skip}>
            Skip
          </Button>
          <div>
            <Button variant="ghost" aria-keyshortcuts="A" onClick={events.answered}>
              Answered
            </Button>
            <Button variant="ghost" aria-keyshortcuts="U" onClick={events.addUpdate}>
              Add an update
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

interface SessionEventsOptions extends Pick<PraySessionProps, 'items' | 'shown' | 'prayer'> {
  onAnswered: (prayer: Prayer) => void
}

/**
 * What the user can do with the prayer that is shown. The session goes on once that is saved: what could not be saved does
 * not count. Until then, whatever else is pressed is ignored.
 */
function useSessionEvents({ items, shown, prayer, onAnswered }: SessionEventsOptions) {
  const { markPrayed, change: changePrayer } = usePrayerActions()
  const { busy, submit } = useSubmission()
  const change = (next: (session: PrayerSession) => PrayerSession) => {
    const session = items.session.get()
    if (session) items.session.set(next(session))
    // Another prayer appears in its place.
    ignoreSecondClick()
  }
  const end = (outcome: Outcome, id: string) =>
    // Another tab may have gone on meanwhile.
    change((session) => (session.current === id ? record(session, outcome, shown) : session))
  const pray = async ({ id }: Prayer) => {
    const day = today()
    const { success } = await markPrayed([id], day)
    if (!success) return
    rememberPrayed(items, id, day)
    end('prayed', id)
  }
  const answer = async (shownPrayer: Prayer) => {
    // The user may have gone back to it.
    const isSaved = shownPrayer.resolved || (await changePrayer(shownPrayer, { resolved: true })).success
    if (!isSaved) return
    onAnswered({ ...shownPrayer, resolved: true })
    // Other buttons appear in the place of these.
    ignoreSecondClick()
  }
  const run = (event: () => Promise<void>) => () => void submit(event)
  return {
    busy,
    end,
    prayed: run(async () => (prayer ? pray(prayer) : change((session) => advance(session, shown)))),
    skip: run(async () => change((session) => record(session, 'skipped', shown))),
    back: run(async () => change((session) => goBack(session, shown))),
    answered: run(async () => (prayer ? answer(prayer) : undefined)),
  }
}

/** The keys of a session. */
function useSessionKeys(events: Readonly<Partial<Record<SessionEvent, () => void>>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const name = SESSION_KEYS[shortcutKey(event) ?? '']
    const run = name && events[name]
    if (!run) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [])
}
