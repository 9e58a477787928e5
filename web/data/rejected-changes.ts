import { useContext, useMemo } from 'react'
import { type Call, type RejectedChange, fieldsOf } from '#web/sync/change.ts'
import type { Columns } from '#web/sync/schema.ts'
import { type Category, useCategories } from './categories.ts'
import { explanationOf } from './make-change.ts'
import { type PrayerUpdate, usePrayerUpdates } from './prayer-updates.ts'
import { prayerUpdateActions } from './prayer-update-actions.ts'
import { type Prayer, type PrayerFields, textsIn, usePrayers } from './prayers.ts'
import { UserDataContext, useSync } from './rows.ts'
import { TABLES } from './tables.ts'

/** A change that could not be saved, in words. Names and texts of the user are isolated for mixed writing directions. */
export interface RejectedEntry {
  id: string
  /** For example `You added the prayer for Anna`. */
  title: string
  /** What was typed; empty if nothing was. */
  text: string
  reason: string
  /** What the server has said, in the words of the database; empty if the reason says it. */
  detail: string
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
  | { kind: 'category'; id: string; row: Category | null; fields: TypedCategory }

type TypedCategory = Pick<Category, 'name'> & Partial<Pick<Category, 'pray_days'>>

/** The columns that change when a prayer is resolved, reopened, or gets its answer. */
const ANSWER_COLUMNS: ReadonlySet<string> = new Set(['resolved', 'answered_on', 'answer'])
const MOVE = 'move_prayers'
/** Said of a text that the server had plain, although the account is encrypted. */
const PLAIN_TEXT = {
  title: 'A text that was not encrypted',
  reason:
    'The server does not have it any more. It may not be yours: whoever runs the server could have put it there.',
}
const NONE: readonly RejectedChange[] = []

/** The changes that could not be saved, oldest first. They stay until the user decides what becomes of them. */
export function useRejectedChanges(): readonly RejectedEntry[] {
  const data = useContext(UserDataContext)
  const rejected = useSync((sync) => sync.status().rejected, NONE)
  const prayers = usePrayers().rows
  const categories = useCategories().rows
  const updates = usePrayerUpdates().rows
  return useMemo(() => {
    const shown = { prayers: prayers ?? [], categories: categories ?? [], updates: updates ?? [] }
    const discard = async (id: string) => (await data?.opened)?.discard(id)
    const tryAgain = async (change: RejectedChange) => {
      const { id, table, reason } = change
      if (table !== 'prayer_updates' || reason !== 'deleted') return (await data?.opened)?.tryAgain(id)
      // The update does not exist any more: its text becomes a new one, under the id of the change.
      const fields = fieldsOf(change)
      const added = { prayer_id: textIn(fields, 'prayer_id') ?? '', body: textIn(fields, 'body') ?? '' }
      const result = await prayerUpdateActions(data).addUpdate(added, id)
      if (!result.success) throw new Error(result.error)
      await discard(id)
    }
    const entryOf = (change: RejectedChange): RejectedEntry => {
      const { canSucceed, ...described } = describeChange(change, shown)
      return {
        ...described,
        tryAgain: canSucceed && described.form === null ? () => tryAgain(change) : null,
        discard: () => discard(change.id),
      }
    }
    return rejected.map(entryOf)
  }, [rejected, prayers, categories, updates, data])
}

/** The rows as they are shown without the rejected changes. */
interface ShownRows {
  prayers: readonly Prayer[]
  categories: readonly Category[]
  updates: readonly PrayerUpdate[]
}

/** Describes a rejected change. */
export function describeChange(
  change: RejectedChange,
  { prayers, categories, updates }: ShownRows,
): Omit<RejectedEntry, 'tryAgain' | 'discard'> & Pick<Description, 'canSucceed'> {
  const { id, at, table, reason } = change
  const find = <Shown extends { id: string }>(rows: readonly Shown[], wanted: unknown) =>
    rows.find((row) => row.id === wanted) ?? null
  // What was deleted on another device is still shown until the next pull.
  const findOwn = <Shown extends { id: string }>(rows: readonly Shown[], { row }: RejectedRowChange) =>
    reason === 'deleted' ? null : find(rows, row)
  const describeRow = (): Description => {
    if (change.kind === 'call')
      return describeCall(change, prayers, find(categories, change.args.category_id))
    if (table === 'categories') return describeCategory(change, findOwn(categories, change))
    if (table === 'prayers') return describePrayer(change, findOwn(prayers, change))
    const update = findOwn(updates, change)
    return describeUpdate(change, update, find(prayers, update?.prayer_id ?? fieldsOf(change).prayer_id))
  }
  return { id, at, ...reasonOf(change), ...describeRow(), ...(change.isPlain && PLAIN_TEXT) }
}

type RejectedRowChange = Exclude<RejectedChange, Call>

interface Description extends Pick<RejectedEntry, 'title' | 'text' | 'form'> {
  /** Whether the server may accept the same change later. */
  canSucceed: boolean
}

function describePrayer(change: RejectedRowChange, row: Prayer | null): Description {
  const { id, kind } = change
  const fields = fieldsOf(change)
  const typed = typedFields(fields, row)
  const name = row?.person_name ?? typed.person_name
  const text = typedTexts(change).join('\n')
  const described = { text, form: null, canSucceed: row !== null }
  if (kind === 'delete') return { ...described, title: `You deleted ${prayerFor(name)}` }
  if (kind === 'insert') {
    const form = newPrayerForm(change.row, typed, fields.answer)
    return { ...described, title: `You added ${prayerFor(name)}`, form }
  }
  const title = titleOfUpdate(fields, name)
  // A prayer that was deleted elsewhere can be saved as a new one. The id of the change serves as its id.
  if (!row) return { ...described, title, form: text === '' ? null : newPrayerForm(id, typed, fields.answer) }
  // What was seen when the note was typed.
  const seen = 'note' in fields && 'note' in change.base ? { note: textIn(change.base, 'note') } : {}
  // The dialog of a prayer has no place for its answer, and a tap has nothing to correct.
  const form = Object.keys(fields).every((column) => ANSWER_COLUMNS.has(column))
    ? null
    : { kind: 'prayer' as const, id: row.id, row: { ...row, ...seen }, fields: typed }
  return { ...described, title, form }
}

/** Everything that was typed, with the other fields as they are. */
function typedFields(fields: Columns, row: Prayer | null): PrayerFields {
  const others = Object.entries(fields).filter(([name]) => name in TABLES.prayers.defaults)
  return {
    category_id: textIn(fields, 'category_id') ?? row?.category_id ?? '',
    person_name: textIn(fields, 'person_name') ?? row?.person_name ?? '',
    note: 'note' in fields ? textIn(fields, 'note') : (row?.note ?? null),
    resolved: 'resolved' in fields ? fields.resolved === true : (row?.resolved ?? false),
    ...Object.fromEntries(others),
  }
}

function isTypedInDialog(fields: Columns): boolean {
  return 'person_name' in fields || 'note' in fields
}

function titleOfUpdate(fields: Columns, name: string): string {
  const person = name === '' ? 'a prayer' : isolated(name)
  if (isTypedInDialog(fields)) return `You changed the details of ${person}`
  if ('answer' in fields) return `You recorded the answer to ${prayerFor(name)}`
  if ('category_id' in fields) return `You moved ${person} to another category`
  if ('resolved' in fields)
    return `You marked ${person} as ${fields.resolved === true ? 'resolved' : 'unresolved'}`
  if ('answered_on' in fields) return `You changed the date of the answer to ${prayerFor(name)}`
  return `You changed when to pray for ${person}`
}

function prayerFor(name: string): string {
  return name === '' ? 'a prayer' : `the prayer for ${isolated(name)}`
}

/** Adds a prayer, with a text in its note for which a new prayer has no place of its own. */
function newPrayerForm(id: string, fields: PrayerFields, text: unknown): RejectedForm {
  const texts = [fields.note, text].filter((each) => typeof each === 'string' && each !== '')
  return { kind: 'prayer', id, row: null, fields: { ...fields, note: texts.join('\n\n') || null } }
}

/** @param category the one into which prayers were moved, if it is shown */
function describeCall(
  { table, name, args }: Call,
  prayers: readonly Prayer[],
  category: Category | null,
): Description {
  const described = { text: '', form: null }
  if (table === 'categories') return { ...described, title: 'You reordered the categories', canSucceed: true }
  const reopened = prayers.find(({ id }) => id === args.prayer_id)
  const isMove = name === MOVE
  if (!isMove && name !== 'mark_prayed' && name !== 'unmark_prayed') {
    const fields = { resolved: name === 'undo_reopen_prayer' }
    const title = titleOfUpdate(fields, reopened?.person_name ?? '')
    return { ...described, title, canSucceed: reopened !== undefined }
  }
  const ids = new Set(textsIn(args.prayer_ids))
  const shown = prayers.filter((prayer) => ids.has(prayer.id))
  const [prayer] = shown
  const others = ids.size === 1 ? 'someone' : `${ids.size.toLocaleString('en')} people`
  const what = prayer && ids.size === 1 ? isolated(prayer.person_name) : others
  if (isMove) {
    const title = `You moved ${what} to ${category ? categoryNamed(category.name) : 'another category'}`
    return { ...described, title, canSucceed: shown.length > 0 && category !== null }
  }
  const title =
    name === 'mark_prayed' ? `You prayed for ${what}` : `You took back that you prayed for ${what}`
  return { ...described, title, canSucceed: shown.length > 0 }
}

function describeUpdate(
  change: RejectedRowChange,
  row: PrayerUpdate | null,
  prayer: Prayer | null,
): Description {
  const { id, kind } = change
  const verb = { insert: 'added', update: 'changed', delete: 'deleted' }[kind]
  const text = textIn(fieldsOf(change), 'body') ?? ''
  const empty = { category_id: '', person_name: '', note: null, resolved: false }
  return {
    title: `You ${verb} an update to ${prayerFor(prayer?.person_name ?? '')}`,
    text,
    form: prayer || text === '' ? null : newPrayerForm(id, empty, text),
    canSucceed: kind === 'delete' ? row !== null : prayer !== null,
  }
}

function describeCategory(change: RejectedRowChange, row: Category | null): Description {
  const { id, kind } = change
  const fields = fieldsOf(change)
  const typed = textIn(fields, 'name')
  const name = row?.name ?? typed
  const category = name === null ? 'a category' : categoryNamed(name)
  const described = { text: typed ?? '', form: null, canSucceed: row !== null }
  if (kind === 'delete') return { ...described, title: `You deleted ${category}` }
  if (typed === null) {
    if ('pray_days' in fields) return { ...described, title: `You changed the days of ${category}` }
    const verb = fields.is_visible === true ? 'showed' : 'hid'
    return { ...described, title: `You ${verb} ${category}` }
  }
  const { pray_days: days } = fields
  const hasDays = typeof days === 'number' || days === null
  const entered: TypedCategory = hasDays ? { name: typed, pray_days: days } : { name: typed }
  if (kind === 'insert') {
    const form = { kind: 'category', id: change.row, row: null, fields: entered } as const
    return { ...described, title: `You added ${category}`, form }
  }
  return {
    ...described,
    title: row
      ? `You renamed ${category} to “${isolated(typed)}”`
      : `You renamed a category to “${isolated(typed)}”`,
    form: { kind: 'category', id: row?.id ?? id, row, fields: entered },
  }
}

function categoryNamed(name: string): string {
  return `the category “${isolated(name)}”`
}

function reasonOf(change: RejectedChange): Pick<RejectedEntry, 'reason' | 'detail'> {
  const { reason, message, kind } = change
  const explanation = reason === 'rejected' ? explanationOf(TABLES[change.table], kind, change) : null
  return reason === 'rejected' && explanation === null && message !== ''
    ? { reason: 'The server did not accept it.', detail: message }
    : { reason: explanation ?? explainedReason(change), detail: '' }
}

function explainedReason(change: RejectedChange): string {
  switch (change.reason) {
    case 'rejected':
      return 'The server could not save it.'
    case 'conflict':
      return 'It was changed on another device, so it was not deleted.'
    case 'deleted':
      return `This ${TABLES[change.table].rowName.toLowerCase()} was deleted on another device.`
    case 'depends':
      if (change.kind === 'call' && change.name === MOVE) return 'The category could not be added.'
      return change.table === 'prayers' && change.kind !== 'call'
        ? 'Its category could not be added.'
        : 'The prayer could not be added.'
    case 'restored':
      return 'The server was restored from an older backup, and it was changed since.'
  }
}

/** The texts that were typed: the name before the others. */
function typedTexts(change: RejectedChange): readonly string[] {
  const fields = fieldsOf(change)
  return TABLES[change.table].typed.flatMap((column) => textIn(fields, column) || [])
}

function textIn(fields: Columns, name: keyof Columns): string | null {
  const value = fields[name]
  return typeof value === 'string' ? value : null
}

/** Between U+2068 and U+2069, text in another writing direction does not disturb the sentence around it. */
function isolated(name: string): string {
  return `\u2068${name}\u2069`
}
