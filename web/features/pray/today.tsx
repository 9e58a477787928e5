import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useCategoryActions } from '#web/data/category-actions.ts'
import type { Category } from '#web/data/categories.ts'
import { usePrayerActions } from '#web/data/prayer-actions.ts'
import { isLastPrayedOn, type Prayer } from '#web/data/prayers.ts'
import { weekdayText } from '#web/lib/days/day-text.ts'
import { type Day, useToday } from '#web/lib/days/days.ts'
import { Button } from '#web/ui/button.tsx'
import { ignoreSecondClick } from '#web/ui/dialog.tsx'
import { keepFocus, useFocusAfterRemoval } from '#web/ui/focus.ts'
import { PrayIcon } from '#web/ui/line-icon.tsx'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { StickyBanner } from '#web/ui/messages.tsx'
import { ChoiceSheet, type ChosenDays } from './choice-sheet.tsx'
import { forgetPrayed, type PrayItems, rememberPrayed } from './pray-items.ts'
import { NameList, useJustMoved } from './name-list.tsx'
import { FirstSteps, NobodyToday } from './no-names.tsx'
import { countsText, leftOutText, type Names } from './today-page.ts'
import { useTodayPage } from './use-today-page.ts'
import { verseOf } from './verses.ts'

interface TodayProps {
  items: PrayItems
  prayers: readonly Prayer[]
  /** Hidden ones too. */
  categories: readonly Category[]
  /** Whether all prayers and categories have been received. */
  complete: boolean
  /** Why something could not be loaded or saved. */
  error: ReactNode
  /** The position in the unfinished session; null if there is none. */
  unfinished: { at: number; of: number } | null
  onContinue: () => void
  onBegin: (ids: readonly string[]) => void
}

/** Today's page: who to pray for, with or without a session. */
export function Today(props: TodayProps) {
  const { items, prayers, categories, complete, error, unfinished, onContinue, onBegin } = props
  const visible = useMemo(() => categories.filter((category) => category.is_visible), [categories])
  const page = useTodayPage({ items, prayers, categories: visible, complete })
  const { day, names, settings, chosen, chosenById, more } = page
  const [choosing, setChoosing] = useState(false)
  const leftOut = useMemo(
    () => leftOutText(prayers, { visible: new Set(visible.map(({ id }) => id)), chosen: chosenById }, day),
    [prayers, visible, chosenById, day],
  )
  const { change } = useCategoryActions()
  const saveDays = async (days: ChosenDays) => {
    const results = await Promise.all([...days].map(([id, pray_days]) => change(id, { pray_days })))
    const saved = [...days].filter((_, index) => results[index]?.success)
    if (saved.length > 0) page.settleDays(new Map(saved))
  }
  const listed = [...names.planned, ...names.others]
  const open = listed.filter((prayer) => !isLastPrayedOn(prayer, day))
  // If everyone on the page was answered meanwhile, there may be others.
  const hasAnyone = listed.length > 0 || more > 0
  const isNew = prayers.length === 0 && complete
  const begin = { text: `Begin · ${open.length}`, run: () => onBegin(open.map(({ id }) => id)) }
  const action = unfinished
    ? { text: `Continue · ${unfinished.at} of ${unfinished.of}`, run: onContinue }
    : open.length > 0 && begin
  return (
    <TodayFrame day={day} action={action} error={error}>
      <Lists items={items} names={names} day={day} complete={complete} />
      {isNew && <FirstSteps categories={categories} />}
      {complete && !isNew && !hasAnyone && <NobodyToday isChoice={chosen !== null} />}
      <div>
        <Completion isComplete={open.length === 0 && hasAnyone} more={more} onMore={page.addMore} />
        {!isNew && (
          <div className="mt-2 flex flex-col gap-1 text-sm text-ink-soft sm:mt-0 print:hidden">
            <p>
              {countsText(names)}
              <ChosenCategories chosen={chosen} />
              <span aria-hidden="true">&nbsp;·</span>{' '}
              <button type="button" className={`${TEXT_LINK} touch-area`} onClick={() => setChoosing(true)}>
                Change
              </button>
            </p>
            {leftOut !== null && <p>{leftOut}</p>}
          </div>
        )}
      </div>
      {choosing && (
        <ChoiceSheet
          categories={visible}
          number={settings.number}
          chosen={chosen}
          onChange={page.choose}
          onClose={(days) => {
            setChoosing(false)
            if (days.size > 0) void saveDays(days)
          }}
        />
      )}
    </TodayFrame>
  )
}

interface TodayFrameProps {
  day: Day
  /** Begins or continues the session. */
  action: { text: string; run: () => void } | false
  error: ReactNode
  children: ReactNode
}

/** What the page has before its names are there. */
function TodayFrame({ day, action, error, children }: TodayFrameProps) {
  const verse = verseOf(day)
  return (
    <div className="mx-auto flex w-full max-w-prose flex-1 flex-col gap-2 sm:gap-7">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h1 tabIndex={-1} className="text-2xl tracking-tight sm:text-3xl">
          Today
        </h1>
        <p className="text-sm text-ink-soft sm:text-base">
          <time dateTime={day}>{weekdayText(day, day)}</time>
        </p>
      </div>
      {/* It stays at the end of the window while the page is scrolled; the Tab key comes to it before the names. */}
      {action && (
        <div className="today-begin print:hidden">
          <Button variant="primary" className="rounded-full! px-6 shadow-raised" onClick={action.run}>
            {action.text}
          </Button>
        </div>
      )}
      {verse && (
        <figure className="today-verse">
          <blockquote>
            <p>“{verse.text}”</p>
          </blockquote>
          <figcaption>{verse.reference}</figcaption>
        </figure>
      )}
      <StickyBanner>{error}</StickyBanner>
      {children}
    </div>
  )
}

interface ListsProps {
  items: PrayItems
  names: Names
  day: Day
  complete: boolean
}

/** The names, each with a circle that records that it was prayed. */
function Lists({ items, names: { planned, others }, day, complete }: ListsProps) {
  const { markPrayed, unmarkPrayed } = usePrayerActions()
  const ref = useRef<HTMLDivElement>(null)
  const ids = useMemo(() => [...planned, ...others].map(({ id }) => id), [planned, others])
  const focusHandlers = useFocusAfterRemoval(ref, ids)
  const justMoved = useJustMoved(ids)
  const toggle = async (prayer: Prayer) => {
    const wasPrayed = isLastPrayedOn(prayer, day)
    const { success } = await (wasPrayed ? unmarkPrayed : markPrayed)([prayer.id], day)
    if (!success) return
    if (wasPrayed) forgetPrayed(items, prayer.id)
    else rememberPrayed(items, prayer.id, day)
  }
  const list = { day, complete, onToggle: (prayer: Prayer) => void toggle(prayer) }
  return (
    <div
      ref={ref}
      className="flex flex-col gap-5 empty:hidden sm:gap-8"
      style={justMoved ? { pointerEvents: 'none' } : undefined}
      {...focusHandlers}
    >
      <NameList key={`planned ${day}`} title="For today" prayers={planned} isPlanned {...list} />
      <NameList key={`others ${day}`} title="Next in turn" prayers={others} isPlanned={false} {...list} />
    </div>
  )
}

interface CompletionProps {
  /** Whether everyone on the page was prayed for. */
  isComplete: boolean
  /** How many prayers could be added. */
  more: number
  onMore: () => void
}

/** Below the names. The live region has to exist before it has a text. */
function Completion({ isComplete, more, onMore }: CompletionProps) {
  const addMore = () => {
    const circles = () => document.querySelectorAll<HTMLElement>('.today-row button')
    const count = circles().length
    // The new names begin where the button was.
    ignoreSecondClick()
    keepFocus(onMore, () => circles()[count])
  }
  return (
    <>
      <div role="status">
        {isComplete && (
          <div className="flex flex-col items-center gap-2 py-5 text-center transition-opacity duration-slow starting:opacity-0">
            <PrayIcon className="size-7 text-gold-bright" />
            <p className="font-serif text-lg">You have prayed for everyone on today's page.</p>
          </div>
        )}
      </div>
      {isComplete && more > 0 && (
        <div className="flex justify-center pb-8">
          <Button onClick={addMore}>Pray for more</Button>
        </div>
      )}
    </>
  )
}

/** After the number of names, for example "from Family and Church" or "from 3 categories"; nothing if all are chosen. */
function ChosenCategories({ chosen }: { chosen: readonly Category[] | null }) {
  const [first, second, third] = chosen ?? []
  if (!chosen || !first) return null
  if (third) return ` from ${chosen.length} categories`
  return (
    <>
      {' '}
      from <bdi>{first.name}</bdi>
      {second && (
        <>
          {' '}
          and <bdi>{second.name}</bdi>
        </>
      )}
    </>
  )
}

/** The page while the prayers are loading, or have not been loaded. */
export function TodayLoading({ error, children }: { error: ReactNode; children: ReactNode }) {
  return (
    <TodayFrame day={useToday()} action={false} error={error}>
      {children}
    </TodayFrame>
  )
}
