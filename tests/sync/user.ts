import type { Random } from '#tests/faults/random.ts'
import type { Fields, NewChange, TableName } from '#web/sync/schema.ts'
import type { Tab } from './device.ts'
import type { Words } from './words.ts'

/** Someone who uses the app at random, as its dialogs allow. */
export interface User {
  changeCategories: (tab: Tab) => Promise<void>
  changePrayers: (tab: Tab) => Promise<void>
  /** Tries a rejected change again, or discards it. */
  decide: (tab: Tab) => Promise<void>
}

interface UserOptions {
  userId: string
  random: Random
  words: Words
  newId: () => string
  /** The id that was generated last. */
  lastId: () => string
  /** The time as ISO 8601 text. */
  now: () => string
  log: (line: string) => void
}

/** A dialog that edits or deletes a prayer shows the note as it was when it was opened. */
interface Dialog {
  row: string
  note: string | null
}

export function createUser({ userId, random, words, newId, lastId, now, log }: UserOptions): User {
  let typed = 0
  let dialog: Dialog | null = null
  const text = (kind: string) => `${kind} ${String((typed += 1))}`

  const make = async (tab: Tab, made: NewChange) => {
    log(`change ${JSON.stringify(made)}`)
    const { accepted } = await tab.change(made)
    words.add(made, lastId(), accepted)
  }
  const insert = (tab: Tab, table: TableName, fields: Fields) => {
    const id = newId()
    const all = { ...fields, id, user_id: userId, created_at: now() }
    return make(tab, { table, kind: 'insert', row: id, fields: all, base: {} })
  }
  const update = (tab: Tab, table: TableName, row: string, fields: Fields, base: Fields = {}) =>
    make(tab, { table, kind: 'update', row, fields, base })
  const remove = (tab: Tab, table: TableName, row: string, base: Fields = {}) =>
    make(tab, { table, kind: 'delete', row, fields: {}, base })

  const insertCategory = (tab: Tab) => {
    const order = Math.max(0, ...tab.sync.rows('categories').map((category) => category.order)) + 1
    return insert(tab, 'categories', { name: text('category'), order, is_visible: true, updated_at: now() })
  }
  const insertPrayer = (tab: Tab, category_id: string) => {
    const note = random.below(4) === 0 ? null : text('note')
    return insert(tab, 'prayers', { category_id, person_name: text('person'), note, resolved: false })
  }
  const openDialog = ({ id, note }: { id: string; note: string | null }): Dialog => {
    const opened = dialog && random.below(2) === 0 ? dialog : { row: id, note }
    dialog = random.below(3) === 0 ? { row: id, note } : null
    return opened
  }
  return {
    changeCategories: async (tab) => {
      const table = 'categories'
      const categories = tab.sync.rows(table)
      const category = categories[random.below(categories.length)]
      if (!category || random.below(4) === 0) return insertCategory(tab)
      switch (random.below(4)) {
        case 0:
          return update(tab, table, category.id, { name: text('category') })
        case 1:
          return update(tab, table, category.id, { is_visible: !category.is_visible })
        case 2: {
          const category_ids = random.shuffled(categories).map(({ id }) => id)
          return make(tab, {
            table,
            kind: 'call',
            row: 'reorder_categories',
            fields: { category_ids },
            base: {},
          })
        }
        default:
          return remove(tab, table, category.id)
      }
    },
    changePrayers: async (tab) => {
      const table = 'prayers'
      const [prayers, categories] = [tab.sync.rows(table), tab.sync.rows('categories')]
      const category = categories[random.below(categories.length)]
      const prayer = prayers[random.below(prayers.length)]
      if (!category) return insertCategory(tab)
      if (!prayer || random.below(4) === 0) return insertPrayer(tab, category.id)
      const { row, note } = openDialog(prayer)
      const fields = { person_name: text('person'), note: text('note'), category_id: category.id }
      switch (random.below(6)) {
        case 0:
          return update(tab, table, prayer.id, { resolved: !prayer.resolved }, { note: prayer.note })
        case 1:
          return update(tab, table, prayer.id, { person_name: fields.person_name })
        case 2:
          return update(tab, table, row, fields, { note })
        case 3:
          return remove(tab, table, row, { note })
        default:
          return update(tab, table, row, { note: fields.note }, { note })
      }
    },
    decide: async (tab) => {
      const { rejected } = tab.sync.status()
      const change = rejected[random.below(rejected.length)]
      if (!change) return
      const isDiscarded = random.below(3) === 0
      words.decide(change, isDiscarded)
      log(`${isDiscarded ? 'discard' : 'try again'} ${JSON.stringify(change)}`)
      if (isDiscarded) return tab.sync.discard(change.id).catch(() => {})
      const { table, kind, row, fields } = change
      const shown: Fields = tab.sync.rows(table).find(({ id }) => id === row) ?? {}
      const base = Object.fromEntries(Object.keys(change.base).map((name) => [name, shown[name] ?? null]))
      const { accepted } = await tab.tryAgain(change.id)
      words.add({ table, kind, row, fields, base }, lastId(), accepted)
    },
  }
}
