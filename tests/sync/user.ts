import type { Random } from '#tests/faults/random.ts'
import { reopening, undoneReopening } from '#web/data/prayer-actions.ts'
import {
  type ChangeContent,
  deletionOf,
  insertOf,
  type NewCall,
  type NewChange,
  type NewInsert,
  type NewUpdate,
  type RejectedChange,
  updateOf,
} from '#web/sync/change.ts'
import type { RowOf, UpdateFields, Values } from '#web/sync/schema.ts'
import type { Tab } from './device.ts'
import type { PrayedDays } from './prayed-days.ts'
import type { Words } from './words.ts'

/** Someone who uses the app at random, as its dialogs allow. */
export interface User {
  changeCategories: (tab: Tab) => Promise<void>
  changePrayers: (tab: Tab) => Promise<void>
  changeUpdates: (tab: Tab) => Promise<void>
  /** Resolves a prayer with an answer, changes the answer, reopens the prayer, or undoes that. */
  changeAnswers: (tab: Tab) => Promise<void>
  /** Adds dozens of prayers in one step, perhaps with their category, or one that the server will reject. */
  addSeveral: (tab: Tab) => Promise<void>
  /** Moves prayers to a category: some of them, or all. */
  moveMany: (tab: Tab) => Promise<void>
  /** Reports that some prayers were prayed on a day, or takes that back. */
  pray: (tab: Tab) => Promise<void>
  /** Types a note again whose change was undone in this tab because it could neither be stored nor saved. Resolves to false if there is none. */
  retype: (tab: Tab) => Promise<boolean>
  /** Whether a text was typed more than once. */
  isTypedTwice: (text: string) => boolean
  /** Whether a text was the answer of a prayer that was reopened. */
  hasMoved: (text: string) => boolean
  /** The rejected changes that were tried again, or discarded. */
  decided: () => readonly RejectedChange[]
  /** The id of the row that was changed last; null if there is none. */
  lastRow: () => string | null
  /** Tries a rejected change again, or discards it. */
  decide: (tab: Tab) => Promise<void>
}

type Plan = UpdateFields<'prayers'>

interface UserOptions {
  /** Called with every change that is made. */
  onChange: (made: ChangeContent) => void
  userId: string
  random: Random
  words: Words
  prayedDays: PrayedDays
  newId: () => string
  /** The ids that were generated last. */
  lastIds: (count: number) => readonly string[]
  /** The time as ISO 8601 text. */
  now: () => string
  log: (line: string) => void
}

/** A dialog that edits or deletes a prayer shows the note as it was when it was opened. */
interface Dialog {
  row: string
  base: { note: string | null; answer: string | null }
}

/** An update as it was when its dialog was opened. */
interface UpdateDialog {
  row: string
  prayer_id: string
  body: string
}

/** Before any clock of the histories: the server takes a day in its future for that of a wrong clock. */
const DAYS = ['2025-11-01', '2025-11-02', '2025-11-03'] as const

export function createUser(options: UserOptions): User {
  const { userId, random, words, prayedDays, newId, lastIds, now, log, onChange } = options
  let typed = 0
  let days = 0
  const decided: RejectedChange[] = []
  const moved = new Set<string>()
  let lastRow: string | null = null
  let dialog: Dialog | null = null
  let updateDialog: UpdateDialog | null = null
  /** The prayer that was reopened last, as it was before, and the id of the update that its answer has become. */
  let reopened: { prayer: RowOf<'prayers'>; updateId: string } | null = null
  const text = (kind: string) => `${kind} ${String((typed += 1))}`
  const prose: string[] = []
  const typedTwice = new Set<string>()
  /** A longer text; sometimes the same as an earlier one of its kind, of any prayer. */
  const typeText = (kind: string) => {
    const known = prose.filter((each) => each.startsWith(kind))
    const earlier = random.below(8) === 0 ? known[random.below(known.length)] : undefined
    if (earlier !== undefined) typedTwice.add(earlier)
    const given = earlier ?? text(kind)
    prose.push(given)
    return given
  }
  let undone: { form: NewInsert<'prayers'> | NewUpdate<'prayers'>; tab: Tab } | null = null

  const lastId = () => lastIds(1)[0] ?? ''
  const make = async (tab: Tab, ...changes: readonly NewChange[]) => {
    log(`change ${JSON.stringify(changes)}`)
    for (const made of changes) onChange(made)
    const seen = changes.map((made) => ('row' in made ? updatesOf(tab, made.row) : []))
    const rows = changes.flatMap((made) => ('row' in made ? made.row : []))
    lastRow = rows[random.below(rows.length)] ?? lastRow
    const { accepted } = await tab.change(...changes)
    const [form] = changes
    if (form?.table === 'prayers' && (form.kind === 'insert' || (form.kind === 'update' && form.fields.note)))
      accepted.catch(() => (undone = { form, tab }))
    const ids = lastIds(changes.length)
    for (const [index, made] of changes.entries())
      words.add(made, ids[index] ?? '', accepted, seen[index] ?? [])
  }
  /** The texts of a prayer's updates, as they show. */
  const updatesOf = (tab: Tab, prayer: string) =>
    tab.sync
      .rows('prayer_updates')
      .filter((update) => update.prayer_id === prayer)
      .map(({ body }) => body)
  const newRow = () => ({ id: newId(), user_id: userId, created_at: now() })

  const newCategory = (tab: Tab) => {
    const order = Math.max(0, ...tab.sync.rows('categories').map((category) => category.order)) + 1
    const fields = { name: text('category'), order, is_visible: true, updated_at: now() }
    return insertOf('categories', { ...newRow(), ...fields })
  }
  const newPrayer = (category_id: string) => {
    const note = random.below(4) === 0 ? null : typeText('note')
    const fields = { category_id, person_name: text('person'), note, resolved: false }
    return insertOf('prayers', { ...newRow(), ...fields })
  }
  const insertCategory = (tab: Tab) => make(tab, newCategory(tab))
  const insertPrayer = (tab: Tab, category_id: string) => make(tab, newPrayer(category_id))
  /** The database takes names of up to 200 characters. */
  const tooLong = (prayer: NewInsert<'prayers'>): NewInsert<'prayers'> => ({
    ...prayer,
    fields: { ...prayer.fields, person_name: text('person').padEnd(300, '.') },
  })
  /** When to pray. A date is given once, so that it shows where it comes from. */
  const plan = (): Plan => {
    const day = new Date(Date.UTC(2026, 0, (days += 1))).toISOString().slice(0, 10)
    const plans: readonly [Plan, ...Plan[]] = [
      { due_on: day, due_repeats: random.pick([null, 'monthly', 'yearly']) },
      { due_on: null },
      { pray_days: 1 + (days % 127) },
      { resting_until: day },
    ]
    return random.pick(plans)
  }
  const openDialog = ({ id, note, answer }: RowOf<'prayers'>): Dialog => {
    const current = { row: id, base: { note, answer } }
    const opened = dialog && random.below(2) === 0 ? dialog : current
    dialog = random.below(3) === 0 ? current : null
    return opened
  }
  const openUpdateDialog = ({ id, prayer_id, body }: RowOf<'prayer_updates'>): UpdateDialog => {
    const current = { row: id, prayer_id, body }
    const opened = updateDialog && random.below(2) === 0 ? updateDialog : current
    updateDialog = random.below(3) === 0 ? current : null
    return opened
  }
  const reopen = async (tab: Tab, prayer: RowOf<'prayers'>, base: Dialog['base']) => {
    const [{ answer: body }, updateId] = [prayer, newId()]
    reopened = { prayer, updateId }
    if (body === null) return make(tab, updateOf('prayers', prayer.id, { resolved: false }, base))
    moved.add(body)
    await make(tab, reopening(prayer, { id: updateId, user_id: userId, body, created_at: now() }))
  }
  const undoReopening = async (tab: Tab) => {
    if (!reopened) return
    const { prayer, updateId } = reopened
    const { id, note, answer, answered_on } = prayer
    reopened = null
    if (answer !== null) return make(tab, undoneReopening(prayer, updateId))
    await make(tab, updateOf('prayers', id, { resolved: true, answered_on }, { note, answer }))
  }
  return {
    retype: async (tab) => {
      // No other tab has its form.
      if (undone?.tab !== tab) return false
      const { form } = undone
      undone = null
      const note = typeText('note')
      await make(
        tab,
        form.kind === 'insert'
          ? insertOf('prayers', { ...form.fields, note })
          : { ...form, fields: { ...form.fields, note } },
      )
      return true
    },
    isTypedTwice: (given) => typedTwice.has(given),
    hasMoved: (given) => moved.has(given),
    decided: () => decided,
    lastRow: () => lastRow,
    changeCategories: async (tab) => {
      const table = 'categories'
      const categories = tab.sync.rows(table)
      const category = categories[random.below(categories.length)]
      if (!category || random.below(4) === 0) return insertCategory(tab)
      switch (random.below(5)) {
        case 0:
          return make(tab, updateOf(table, category.id, { name: text('category') }, {}))
        case 1:
          return make(tab, updateOf(table, category.id, { is_visible: !category.is_visible }, {}))
        case 2:
          return make(
            tab,
            updateOf(table, category.id, { pray_days: random.pick([null, 1 + ((days += 1) % 127)]) }, {}),
          )
        case 3: {
          const category_ids = random.shuffled(categories).map(({ id }) => id)
          return make(tab, {
            table,
            kind: 'call',
            name: 'reorder_categories',
            args: { category_ids },
          })
        }
        default:
          return make(tab, deletionOf(table, category.id, {}))
      }
    },
    changePrayers: async (tab) => {
      const table = 'prayers'
      const [prayers, categories] = [tab.sync.rows(table), tab.sync.rows('categories')]
      const category = categories[random.below(categories.length)]
      const prayer = prayers[random.below(prayers.length)]
      if (!category) return insertCategory(tab)
      if (!prayer || random.below(4) === 0) return insertPrayer(tab, category.id)
      if (random.below(3) === 0) return make(tab, updateOf(table, prayer.id, plan(), {}))
      const { row, base } = openDialog(prayer)
      const fields = { person_name: text('person'), note: typeText('note'), category_id: category.id }
      switch (random.below(6)) {
        case 0:
          if (prayer.answer !== null) moved.add(prayer.answer)
          return make(tab, updateOf(table, prayer.id, { resolved: !prayer.resolved }, base))
        case 1:
          return make(tab, updateOf(table, prayer.id, { person_name: fields.person_name }, {}))
        case 2:
          return make(tab, updateOf(table, row, fields, base))
        case 3:
          return make(tab, deletionOf(table, row, base))
        default:
          return make(tab, updateOf(table, row, { note: fields.note }, base))
      }
    },
    changeUpdates: async (tab) => {
      const table = 'prayer_updates'
      const [updates, prayers] = [tab.sync.rows(table), tab.sync.rows('prayers')]
      const known = updates[random.below(updates.length)]
      const prayer = prayers[random.below(prayers.length)]
      if (known && random.below(2) === 0) {
        const { row, prayer_id, body } = openUpdateDialog(known)
        if (random.below(3) === 0) return make(tab, deletionOf(table, row, { body }))
        return make(tab, updateOf(table, row, { prayer_id, body: typeText('body') }, { body }))
      }
      if (prayer)
        await make(
          tab,
          insertOf(table, { ...newRow(), prayer_id: prayer.id, body: typeText('body'), updated_at: now() }),
        )
    },
    changeAnswers: async (tab) => {
      const table = 'prayers'
      const prayers = tab.sync.rows(table)
      const prayer = prayers[random.below(prayers.length)]
      if (!prayer) return
      if (reopened && random.below(2) === 0) return undoReopening(tab)
      const { row, base } = openDialog(prayer)
      const answer = { answer: typeText('answer'), answered_on: random.pick(DAYS) }
      if (!prayer.resolved) return make(tab, updateOf(table, row, { resolved: true, ...answer }, base))
      if (random.below(2) === 0) return make(tab, updateOf(table, row, answer, base))
      await reopen(tab, prayer, base)
      if (random.below(2) === 0) await undoReopening(tab)
    },
    addSeveral: async (tab) => {
      const categories = tab.sync.rows('categories')
      const known = categories[random.below(categories.length)]
      const added = known && random.below(3) > 0 ? [] : [newCategory(tab)]
      const category = added[0]?.row ?? known?.id ?? ''
      const prayers = Array.from({ length: 12 + random.below(140) }, () => newPrayer(category))
      const wrong = random.below(4) === 0 ? random.below(prayers.length) : -1
      const list = prayers.map((prayer, index) => (index === wrong ? tooLong(prayer) : prayer))
      await make(tab, ...added, ...list)
    },
    moveMany: async (tab) => {
      const [prayers, categories] = [tab.sync.rows('prayers'), tab.sync.rows('categories')]
      const category = categories[random.below(categories.length)]
      const count = random.below(2) === 0 ? prayers.length : random.below(30)
      const prayer_ids = random
        .shuffled(prayers)
        .slice(0, count)
        .map(({ id }) => id)
      if (!category || prayer_ids.length === 0) return
      const args = { prayer_ids, category_id: category.id }
      await make(tab, { table: 'prayers', kind: 'call', name: 'move_prayers', args })
      lastRow = prayer_ids[0] ?? lastRow
    },
    pray: async (tab) => {
      const prayers = random.shuffled(tab.sync.rows('prayers')).slice(0, 1 + random.below(3))
      const [prayer] = prayers
      if (!prayer) return
      const last = random.below(2) === 0 ? prayer.last_prayed_on : null
      const name = last !== null || random.below(4) === 0 ? 'unmark_prayed' : 'mark_prayed'
      const args = { prayer_ids: prayers.map(({ id }) => id), prayed_on: last ?? random.pick(DAYS) }
      const made: NewCall = { table: 'prayers', kind: 'call', name, args }
      log(`change ${JSON.stringify(made)}`)
      const { accepted } = await tab.change(made)
      prayedDays.add(made, lastId(), accepted)
    },
    decide: async (tab) => {
      const { rejected } = tab.sync.status()
      const change = rejected[random.below(rejected.length)]
      if (!change) return
      const isDiscarded = random.below(3) === 0
      decided.push(change)
      words.decide(change, isDiscarded)
      prayedDays.decide(change)
      log(`${isDiscarded ? 'discard' : 'try again'} ${JSON.stringify(change)}`)
      if (isDiscarded) return tab.sync.discard(change.id).catch(() => {})
      if (change.kind === 'call') {
        const { accepted } = await tab.tryAgain(change.id)
        return prayedDays.add(change, lastId(), accepted)
      }
      const shown: Values = tab.sync.rows(change.table).find(({ id }) => id === change.row) ?? {}
      const names = change.kind === 'insert' ? [] : Object.keys(change.base)
      const base = Object.fromEntries(names.map((name) => [name, shown[name] ?? null]))
      const seen = updatesOf(tab, change.row)
      onChange(change)
      const { accepted } = await tab.tryAgain(change.id)
      const made = change.kind === 'insert' ? change : { ...change, base }
      words.add(made, lastId(), accepted, seen)
    },
  }
}
