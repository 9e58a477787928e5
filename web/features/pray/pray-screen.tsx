import { useCallback, useEffect, useMemo, useState } from 'react'
import { useCategories } from '#web/data/categories.ts'
import { useKeepNothing } from '#web/data/device.ts'
import { isLastPrayedOn, usePrayers } from '#web/data/prayers.ts'
import { useFetching } from '#web/data/sync-status.ts'
import { MissingRows } from '#web/features/prayer-parts/missing-rows.tsx'
import { useToday } from '#web/lib/days/days.ts'
import { useUser } from '#web/lib/session/session.ts'
import { useStore } from '#web/lib/storage/store.ts'
import { closeOnBack } from '#web/ui/close-on-back.ts'
import { keepFocus } from '#web/ui/focus.ts'
import { ErrorBanner } from '#web/ui/messages.tsx'
import { NamesSkeleton } from './no-names.tsx'
import { createPrayItems } from './pray-items.ts'
import { PraySession } from './pray-session.tsx'
import { isPrayable } from './select-prayers.ts'
import { resume, startPrayerSession } from './session-progress.ts'
import { SessionEnd } from './session-pages.tsx'
import { Today, TodayLoading } from './today.tsx'
import './pray.css'

/** `/pray`: today's page, the session, and its end. */
export function PrayScreen() {
  const user = useUser()
  const keepsNothing = useKeepNothing().on
  const items = useMemo(
    () => createPrayItems(user.id, keepsNothing ? sessionStorage : localStorage),
    [user.id, keepsNothing],
  )
  const session = useStore(items.session)
  const [isPraying, setPraying] = useState(false)
  const prayers = usePrayers()
  const categories = useCategories()
  const isFetching = useFetching()
  const today = useToday()
  const prayersById = useMemo(
    () => new Map(prayers.rows?.map((prayer) => [prayer.id, prayer])),
    [prayers.rows],
  )
  const leave = useCallback(() => keepFocus(() => setPraying(false)), [])
  useEffect(() => (isPraying ? closeOnBack(leave) : undefined), [isPraying, leave])
  const visible = useMemo(
    () => new Map(categories.rows?.filter((each) => each.is_visible).map((each) => [each.id, each])),
    [categories.rows],
  )

  if (isPraying && session?.current === null) {
    const finish = () => {
      items.session.set(null)
      leave()
    }
    return <SessionEnd session={session} prayers={prayers.rows ?? []} onDone={finish} />
  }
  const error = <ErrorBanner errors={[prayers.error, categories.error]} />
  const isComplete = prayers.complete && categories.complete
  // Names that appear one after the other would make another page.
  if (!categories.rows || !prayers.rows || (!isComplete && isFetching))
    return (
      <TodayLoading error={error}>
        <MissingRows of={[prayers, categories]} what="prayers" skeleton={<NamesSkeleton />} />
      </TodayLoading>
    )
  const isOpen = (id: string) => {
    const prayer = prayersById.get(id)
    return prayer !== undefined && isPrayable(prayer, visible, today)
  }
  /** While a session is going on, prayers may be deleted, hidden or answered elsewhere. What is shown stays. */
  const isShown = (id: string) =>
    (isPraying && id === session?.current) ||
    isOpen(id) ||
    (prayersById.has(id) && session !== null && id in session.outcomes)
  const shown = session?.ids.filter(isShown) ?? []

  if (isPraying && session)
    return (
      <PraySession
        items={items}
        session={session}
        shown={shown}
        prayer={prayersById.get(session.current ?? '') ?? null}
        categories={categories.rows}
        error={error}
        onLeave={leave}
      />
    )
  /** Whether a prayer is still to come in the session: it may have been ticked on today's page. */
  const isLeft = (id: string) => {
    const prayer = prayersById.get(id)
    return prayer !== undefined && isOpen(id) && !isLastPrayedOn(prayer, today)
  }
  const unfinished = session?.day === today ? resume(session, isLeft) : null
  return (
    <Today
      items={items}
      prayers={prayers.rows}
      categories={categories.rows}
      complete={isComplete}
      error={error}
      unfinished={
        unfinished?.current ? { at: shown.indexOf(unfinished.current) + 1, of: shown.length } : null
      }
      onContinue={() => {
        items.session.set(unfinished)
        setPraying(true)
      }}
      onBegin={(ids) => {
        items.session.set(startPrayerSession(ids, today))
        setPraying(true)
      }}
    />
  )
}
