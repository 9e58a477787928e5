import { useContext, useMemo } from 'react'
import { type Fields, type RejectedChange, TABLES } from '#web/sync/schema.ts'
import { type Category, useCategories } from './categories.ts'
import { explanationOf } from './changes.ts'
import { type Prayer, type PrayerFields, usePrayers } from './prayers.ts'
import { UserDataContext, useSync } from './rows.ts'

/** The changes that could not be saved, oldest first. They stay until the user decides what becomes of them. */
export interface RejectedChanges {
  entries: readonly RejectedEntry[]
  /** What the server has lost because it was restored from an older backup; null if nothing. */
  lost: LostChanges | null
}

/** A change that could not be saved, in words. Names and texts of the user are isolated for mixed writing directions. */
export interface RejectedEntry {
  id: string
  /** For example `You added the prayer for Anna`. */
  title: string
  /** What was typed; empty if nothing was. */
  text: string
  /** The text that was kept instead; null if there is none. */
  kept: string | null
  reason: string
  /** When it was made, as ISO 8601 text. */
  at: string
  /** With what its dialog is opened to correct it; null if it has none. */
  form: RejectedForm | null
  /** Sends it again as it is; null if it has a dialog, or if it could not succeed. */
  tryAgain: (() => Promise<void>) | null
  /** Forgets it. */
  discard: () => Promise<void>
}

/** A dialog, and what was typed into it. Without a row, it adds one under the id; otherwise it changes the row. */
export type RejectedForm =
  | { kind: 'prayer'; id: string; row: Prayer | null; fields: PrayerFields }
  | { kind: 'category'; id: string; row: Category | null; name: string }

/** What the server has lost, which is sent again or discarded as a whole. */
export interface LostChanges {
  /** For example `The server does not have these 3 prayers`. */
  title: string
  reason: string
  count: number
  /** The names of the prayers and categories. */
  preview: string
  /** All names and notes. */
  text: string
  /** Sends everything again, categories before their prayers. */
  sendAgain: () => Promise<void>
  discard: () => Promise<void>
}

const NONE: readonly RejectedChange[] = []

export function useRejectedChanges(): RejectedChanges {
  const data = useContext(UserDataContext)
  const rejected = useSync((sync) => sync.status().rejected, NONE)
  const prayers = usePrayers().rows
  const categories = useCategories().rows
  return useMemo(() => {
    const tryAgain = async (id: string) => (await data?.opened)?.tryAgain(id)
    const discard = async (id: string) => (await data?.opened)?.discard(id)
    const entryOf = (change: RejectedChange): RejectedEntry => {
      const { canSucceed, ...described } = describe(change, prayers ?? [], categories ?? [])
      return {
        ...described,
        tryAgain: canSucceed && described.form === null ? () => tryAgain(change.id) : null,
        discard: () => discard(change.id),
      }
    }
    const entries = rejected.filter(({ reason }) => reason !== 'restored').map(entryOf)
    const lost = inSendingOrder(rejected.filter(({ reason }) => reason === 'restored'))
    const forEachLost = (act: (id: string) => Promise<void>) => async () => {
      for (const { id } of lost) await act(id)
    }
    return {
      entries,
      lost:
        lost.length === 0
          ? null
          : { ...describeLost(lost), sendAgain: forEachLost(tryAgain), discard: forEachLost(discard) },
    }
  }, [rejected, prayers, categories, data])
}

/** A row is added after the rows it refers to, and changed after it was added. */
function inSendingOrder(changes: readonly RejectedChange[]): readonly RejectedChange[] {
  const rank = ({ table, kind }: RejectedChange) =>
    TABLES.indexOf(table) + (kind === 'insert' ? 0 : TABLES.length)
  return changes.toSorted((a, b) => rank(a) - rank(b))
}

/** Describes a rejected change, given the rows as they are shown without it. */
export function describe(
  change: RejectedChange,
  prayers: readonly Prayer[],
  categories: readonly Category[],
): Omit<RejectedEntry, 'tryAgain' | 'discard'> & Pick<Described, 'canSucceed'> {
  const { id, at, table, row: rowId } = change
  const described =
    table === 'prayers'
      ? describePrayer(change, prayers.find((prayer) => prayer.id === rowId) ?? null)
      : describeCategory(change, categories.find((category) => category.id === rowId) ?? null)
  return { id, at, reason: reasonOf(change), ...described }
}

interface Described extends Pick<RejectedEntry, 'title' | 'text' | 'kept' | 'form'> {
  /** Whether the server may accept the same change later. */
  canSucceed: boolean
}

function describePrayer(change: RejectedChange, row: Prayer | null): Described {
  const { id, kind, fields, reason } = change
  const typed: PrayerFields = {
    category_id: textIn(fields, 'category_id') ?? row?.category_id ?? '',
    person_name: textIn(fields, 'person_name') ?? row?.person_name ?? '',
    note: 'note' in fields ? textIn(fields, 'note') : (row?.note ?? null),
    resolved: 'resolved' in fields ? fields['resolved'] === true : (row?.resolved ?? false),
  }
  const name = row?.person_name ?? typed.person_name
  const [person, prayer] =
    name === '' ? ['a prayer', 'a prayer'] : [isolated(name), `the prayer for ${isolated(name)}`]
  const text = typedTexts(fields).join('\n')
  const kept = reason === 'conflict' && kind === 'update' ? (row?.note ?? null) : null
  const described = { text, kept, form: null, canSucceed: row !== null }
  if (kind === 'delete') return { ...described, title: `You deleted ${prayer}` }
  if (kind === 'insert') {
    const form = { kind: 'prayer', id: change.row, row: null, fields: typed } as const
    return { ...described, title: `You added ${prayer}`, form }
  }
  const mark = `You marked ${person} as ${typed.resolved ? 'resolved' : 'unresolved'}`
  const others = 'category_id' in fields ? `You moved ${person} to another category` : mark
  const isTyped = 'person_name' in fields || 'note' in fields
  return {
    ...described,
    title: isTyped ? `You changed the details of ${person}` : others,
    // A prayer that was deleted elsewhere can be saved as a new one. The id of the change serves as its id.
    form: row || text !== '' ? { kind: 'prayer', id: row?.id ?? id, row, fields: typed } : null,
  }
}

function describeCategory(change: RejectedChange, row: Category | null): Described {
  const { id, kind, fields } = change
  const typed = textIn(fields, 'name')
  const name = row?.name ?? typed
  const category = name === null ? 'a category' : `the category “${isolated(name)}”`
  const described = { text: typed ?? '', kept: null, form: null, canSucceed: row !== null }
  if (kind === 'call') return { ...described, title: 'You reordered the categories', canSucceed: true }
  if (kind === 'delete') return { ...described, title: `You deleted ${category}` }
  if (typed === null) {
    const verb = fields['is_visible'] === true ? 'showed' : 'hid'
    return { ...described, title: `You ${verb} ${category}` }
  }
  if (kind === 'insert') {
    const form = { kind: 'category', id: change.row, row: null, name: typed } as const
    return { ...described, title: `You added ${category}`, form }
  }
  return {
    ...described,
    title: row
      ? `You renamed ${category} to “${isolated(typed)}”`
      : `You renamed a category to “${isolated(typed)}”`,
    form: { kind: 'category', id: row?.id ?? id, row, name: typed },
  }
}

function describeLost(changes: readonly RejectedChange[]): Omit<LostChanges, 'sendAgain' | 'discard'> {
  const count = (table: RejectedChange['table']) =>
    changes.filter((change) => change.kind === 'insert' && change.table === table).length
  const [categories, prayers] = [count('categories'), count('prayers')]
  const what = [
    categories > 0 && theseText(categories, 'category', 'categories'),
    prayers > 0 && theseText(prayers, 'prayer', 'prayers'),
  ].filter((text) => text !== false)
  const hasEdits = categories + prayers < changes.length
  const names = changes.flatMap(({ fields }) => textIn(fields, 'person_name') ?? textIn(fields, 'name') ?? [])
  return {
    title: `The server does not have ${hasEdits ? theseText(changes.length, 'change', 'changes') : what.join(' and ')}`,
    reason: 'It was restored from an older backup. You can send what this device still has.',
    count: changes.length,
    preview: names.map(isolated).join(', '),
    text: changes.map(({ fields }) => typedTexts(fields).join('\n')).join('\n\n'),
  }
}

function theseText(count: number, singular: string, plural: string): string {
  return count === 1 ? `this ${singular}` : `these ${count.toLocaleString('en')} ${plural}`
}

function reasonOf(change: RejectedChange): string {
  const row = change.table === 'prayers' ? 'prayer' : 'category'
  switch (change.reason) {
    case 'rejected':
      if (change.message === '') return 'The server could not save it.'
      return explanationOf(change, change) ?? `The server rejected it: ${change.message}`
    case 'conflict':
      return change.kind === 'delete'
        ? 'It was changed on another device, so it was not deleted.'
        : 'It was changed on another device as well, and that version was kept.'
    case 'deleted':
      return `This ${row} was deleted on another device.`
    case 'depends':
      return 'Its category could not be added.'
    case 'restored':
      return 'The server was restored from an older backup and does not have it.'
  }
}

/** The texts among the fields: the name, then the note. */
function typedTexts(fields: Fields): readonly string[] {
  return ['name', 'person_name', 'note'].flatMap((column) => textIn(fields, column) || [])
}

function textIn(fields: Fields, name: string): string | null {
  const value = fields[name]
  return typeof value === 'string' ? value : null
}

/** Between U+2068 and U+2069, text in another writing direction does not disturb the sentence around it. */
function isolated(name: string): string {
  return `\u2068${name}\u2069`
}
