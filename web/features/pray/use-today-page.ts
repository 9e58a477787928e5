import { useEffect, useMemo } from 'react'
import type { Category } from '#web/data/categories.ts'
import { isLastPrayedOn, type Prayer } from '#web/data/prayers.ts'
import { useToday } from '#web/lib/days/days.ts'
import { useStore } from '#web/lib/storage/store.ts'
import type { ChosenDays } from './choice-sheet.tsx'
import { INITIAL_SETTINGS, prayedHere, type PrayItems, type Settings } from './pray-items.ts'
import { type Selection, selectPrayers } from './select-prayers.ts'
import { afterChoice, namesOn, pageOf, roomFor, type TodayPage, withMore } from './today-page.ts'

interface TodayPageOptions {
  items: PrayItems
  prayers: readonly Prayer[]
  /** The visible ones. */
  categories: readonly Category[]
  /** Whether all rows have been received: what is only a part makes no page that is kept. */
  complete: boolean
}

/** Who is on today's page, which is kept until tomorrow, and what the user has chosen for it. */
export function useTodayPage({ items, prayers, categories, complete }: TodayPageOptions) {
  const day = useToday()
  const kept = useStore(items.page)
  const settings = useStore(items.settings) ?? INITIAL_SETTINGS
  const chosen = useMemo(() => chosenCategories(settings, categories), [settings, categories])
  const chosenById = useMemo(() => byId(chosen ?? categories), [chosen, categories])
  const prayersById = useMemo(() => byId(prayers), [prayers])
  const selection = useMemo(
    () => selectPrayers(prayers, { categories: chosenById, today: day, prayedHere: prayedHere(items) }),
    [prayers, chosenById, day, items],
  )
  const page = useMemo(
    () => pageOf(kept, { day, room: roomFor(settings.number) }, selection),
    [kept, day, settings.number, selection],
  )
  const names = useMemo(() => namesOn(page, prayersById, chosenById), [page, prayersById, chosenById])
  useEffect(() => {
    if (complete && page !== kept) items.page.set(page)
  }, [complete, items, page, kept])

  /** How many could be added, apart from those who were prayed for already. */
  const more = useMemo(() => countMore(selection, page), [selection, page])
  const choose = (changed: Partial<Settings>) => {
    const next = { ...settings, ...changed }
    items.settings.set(next)
    settle(next, categories)
  }
  const settle = (next: Settings, among: readonly Category[]) => {
    const shown = namesOn(page, prayersById, byId(chosenCategories(next, among) ?? among))
    items.page.set(afterChoice(page, roomFor(next.number), shown))
  }
  /** Gives the places of those who are not in turn any more to others, after categories have got these days. */
  const settleDays = (days: ChosenDays) =>
    settle(
      settings,
      categories.map((each) => {
        const pray_days = days.get(each.id)
        return pray_days === undefined ? each : { ...each, pray_days }
      }),
    )
  const addMore = () => {
    const { number } = settings
    items.page.set(withMore(page, Math.min(more, number === 'all' ? more : number)))
  }
  return { day, names, settings, chosen, chosenById, more, choose, settleDays, addMore }
}

/** Null for all categories, and if none of those that were chosen is visible any more. */
function chosenCategories({ categoryIds }: Settings, categories: readonly Category[]): Category[] | null {
  const chosen = categories.filter(({ id }) => categoryIds?.includes(id))
  return chosen.length > 0 ? chosen : null
}

function byId<Row extends { id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}

function countMore({ others }: Selection<Prayer>, page: TodayPage): number {
  const listed = new Set([...page.planned, ...page.others])
  return others.filter((prayer) => !listed.has(prayer.id) && !isLastPrayedOn(prayer, page.day)).length
}
