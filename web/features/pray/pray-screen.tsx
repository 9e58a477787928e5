import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useCategories } from '#web/data/categories.ts'
import { useKeepNothing } from '#web/data/device.ts'
import { usePrayerActions, usePrayers } from '#web/data/prayers.ts'
import { usePrayerEvents } from '#web/features/prayers/use-prayer-events.ts'
import { useToday } from '#web/lib/days/days.ts'
import { DASHBOARD } from '#web/lib/navigation/routes.ts'
import { useUser } from '#web/lib/session/session.ts'
import { useStore } from '#web/lib/storage/store.ts'
import { closeOnBack } from '#web/ui/close-on-back.ts'
import { ErrorBanner, NotLoaded } from '#web/ui/messages.tsx'
import { createPrayItems } from './pray-items.ts'
import { PraySession } from './pray-session.tsx'
import { PrayStart, PrayStartSkeleton } from './pray-start.tsx'
import { isPrayable } from './select-prayers.ts'
import { countPrayed, resume, startPrayerSession } from './session.ts'
import { Amen } from './session-pages.tsx'
import './pray.css'

/** `/pray`: choosing what to pray for, the session, and its end. */
export function PrayScreen() {
  const user = useUser()
  const keepsNothing = useKeepNothing().on
  const items = useMemo(
    () => createPrayItems(user.id, keepsNothing ? sessionStorage : localStorage),
    [user.id, keepsNothing],
  )
  const session = useStore(items.session)
  const [isPraying, setPraying] = useState(false)
  const [, navigate] = useLocation()
  const prayers = usePrayers()
  const { resolve } = usePrayerEvents(usePrayerActions(), prayers.error?.message ?? null, 'answered')
  const categories = useCategories()
  const today = useToday()
  const visible = useMemo(
    () => categories.rows && categories.rows.filter((category) => category.is_visible),
    [categories.rows],
  )
  const prayersById = useMemo(
    () => new Map(prayers.rows?.map((prayer) => [prayer.id, prayer])),
    [prayers.rows],
  )
  useEffect(() => (isPraying ? closeOnBack(() => setPraying(false)) : undefined), [isPraying])
  const visibleIds = useMemo(() => new Set(visible?.map(({ id }) => id)), [visible])

  if (isPraying && session?.current === null) {
    const finish = () => {
      items.session.set(null)
      // In place of the history entry that "back" would have ended the session with.
      navigate(DASHBOARD, { replace: true })
    }
    return <Amen count={countPrayed(session)} onDone={finish} />
  }
  const error = <ErrorBanner errors={[prayers.error, categories.error]} />
  if (!visible || !categories.rows || !prayers.rows) {
    const refetch = () => {
      prayers.refetch()
      categories.refetch()
    }
    const hasError = prayers.error !== null || categories.error !== null
    return (
      <PrayPage error={error}>
        {prayers.fetching || categories.fetching ? (
          <PrayStartSkeleton />
        ) : (
          !hasError && <NotLoaded what="prayers" onRetry={refetch} />
        )}
      </PrayPage>
    )
  }
  const isOpen = (id: string) => {
    const prayer = prayersById.get(id)
    return prayer !== undefined && isPrayable(prayer, visibleIds, today)
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
        onResolve={resolve}
        onLeave={() => setPraying(false)}
      />
    )
  const unfinished = session && resume(session, isOpen)
  return (
    <PrayPage error={error}>
      <PrayStart
        items={items}
        prayers={prayers.rows}
        categories={visible}
        complete={prayers.complete}
        unfinished={
          unfinished?.current ? { at: shown.indexOf(unfinished.current) + 1, of: shown.length } : null
        }
        onContinue={() => {
          items.session.set(unfinished)
          setPraying(true)
        }}
        onBegin={(ids) => {
          items.session.set(startPrayerSession(ids))
          setPraying(true)
        }}
      />
    </PrayPage>
  )
}

function PrayPage({ error, children }: { error: ReactNode; children: ReactNode }) {
  return (
    <div className="mx-auto flex w-full max-w-prose flex-col gap-4 sm:gap-6">
      <h1 tabIndex={-1} className="text-2xl tracking-tight sm:text-3xl">
        Pray
      </h1>
      {error}
      {children}
    </div>
  )
}
