import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { Category } from '#web/data/categories.ts'
import { type Prayer, usePrayerActions } from '#web/data/prayers.ts'
import { answerToRecord } from '#web/lib/navigation-state.ts'
import { today } from '#web/lib/days.ts'
import { shortName } from '#web/lib/short-name.ts'
import { shortcutKey } from '#web/lib/shortcuts.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ignoreSecondClick } from '#web/ui/dialog.tsx'
import { ArrowLeftIcon } from '#web/ui/icons.tsx'
import { rememberPrayed, type PrayItems } from './pray-items.ts'
import { advance, forgetAnswered, goBack, record, type Session } from './session.ts'
import { SESSION_KEYS, type SessionEvent } from './session-keys.ts'
import { DeletedPage, PrayerPage } from './session-pages.tsx'
import { UpdateDialog } from './update-dialog.tsx'
import { useSwipe, useWakeLock } from './use-touch-and-wake-lock.ts'

interface PraySessionProps {
  items: PrayItems
  session: Session
  /** The prayers of the session that can be shown. */
  shown: readonly string[]
  /** Null if it was deleted while it was shown. */
  prayer: Prayer | null
  categories: readonly Category[]
  error: ReactNode
  onLeave: () => void
}

/** A prayer session: one prayer at a time. */
export function PraySession({ items, session, shown, prayer, categories, error, onLeave }: PraySessionProps) {
  // Kept while it is written about, even if it is deleted elsewhere, or another tab goes on to the next one.
  const [updated, setUpdated] = useState<Prayer | null>(null)
  const events = useSessionEvents(items, shown, prayer)
  const { current, outcomes } = session
  const position = shown.indexOf(current ?? '') + 1
  const addUpdate = () => setUpdated(prayer)

  useWakeLock()
  useSessionKeys({ ...events, addUpdate, leave: onLeave })
  const swipe = useSwipe({ onLeft: events.prayed, onRight: events.back })

  return (
    <div data-quiet className="pray-page" {...swipe}>
      <div
        role="progressbar"
        aria-label="Progress"
        aria-valuenow={position}
        aria-valuemax={shown.length}
        className="pray-progress"
      >
        <span style={{ width: `${(100 * position) / shown.length}%` }} />
      </div>
      <div className="flex items-center justify-between">
        <p className="text-sm text-ink-faint">
          {position} of {shown.length}
        </p>
        <Button variant="ghost" className="-mr-3" onClick={onLeave}>
          Done
        </Button>
      </div>
      {error}
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
      <div className="pray-actions">
        <IconButton label="Back" aria-disabled={position <= 1 || undefined} onClick={events.back}>
          <ArrowLeftIcon />
        </IconButton>
        {prayer ? (
          <>
            <Button variant="primary" aria-keyshortcuts="Space Enter ArrowRight" onClick={events.prayed}>
              Prayed
            </Button>
            <Button variant="ghost" aria-keyshortcuts="S" className="max-sm:px-2.5" onClick={events.skip}>
              Skip
            </Button>
            <div>
              <Button variant="ghost" aria-keyshortcuts="A" onClick={events.answered}>
                Answered
              </Button>
              <Button variant="ghost" aria-keyshortcuts="U" onClick={addUpdate}>
                Add an update
              </Button>
            </div>
          </>
        ) : (
          <Button variant="primary" onClick={events.prayed}>
            Next
          </Button>
        )}
      </div>
      {updated && <UpdateDialog prayer={updated} onClose={() => setUpdated(null)} />}
    </div>
  )
}

/** What the user can do with the prayer that is shown. */
function useSessionEvents(items: PrayItems, shown: readonly string[], prayer: Prayer | null) {
  const { markPrayed, update } = usePrayerActions()
  const announce = useAnnounce()
  const change = (next: (session: Session) => Session) => {
    const session = items.session.get()
    if (session) items.session.set(next(session))
    // Another prayer appears in its place.
    ignoreSecondClick()
  }
  return {
    prayed: () => {
      if (!prayer) return change((session) => advance(session, shown))
      const day = today()
      rememberPrayed(items, prayer.id, day)
      void markPrayed([prayer.id], day)
      change((session) => record(session, 'prayed', shown))
    },
    skip: () => change((session) => record(session, 'skipped', shown)),
    back: () => change((session) => goBack(session, shown)),
    answered: () => {
      if (!prayer) return
      const next = () => change((session) => record(session, 'answered', shown))
      // The user went back to it.
      if (prayer.resolved) return next()
      const undo = () => {
        void update(prayer, { resolved: false })
        const session = items.session.get()
        if (session) items.session.set(forgetAnswered(session, prayer.id))
      }
      const more = { label: 'Record answer', run: () => answerToRecord.set(prayer.id) }
      const announcement = announce(`${shortName(prayer.person_name)} marked as answered`, { undo, more })
      void update(prayer, { resolved: true }).then((result) => result.success || announcement.withdraw())
      next()
    },
  }
}

/** The keys of a session. */
function useSessionKeys(events: Readonly<Record<SessionEvent, () => void>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const name = SESSION_KEYS[shortcutKey(event) ?? '']
    if (!name) return
    event.preventDefault()
    events[name]()
  })
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [])
}
