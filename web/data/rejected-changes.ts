import { useContext, useMemo } from 'react'
import type { Fields, RejectedChange } from '#web/sync/schema.ts'
import { type Category, useCategories } from './categories.ts'
import { failureMessage } from './changes.ts'
import { type Prayer, type PrayerFields, usePrayers } from './prayers.ts'
import { UserDataContext, useSync } from './rows.ts'

/** A change that could not be saved, in words. */
export interface RejectedDescription {
  id: string
  /** What the change was, for example `Add the prayer for Anna`. */
  title: string
  /** What was typed; empty if nothing was. */
  text: string
  reason: string
  /** When it was made, as ISO 8601 text. */
  at: string
  /** With what its dialog is opened to correct it; null if it has none. */
  form: RejectedForm | null
  /** Sends it again as it is. */
  tryAgain: () => Promise<void>
  /** Forgets it. */
  discard: () => Promise<void>
}

/** A dialog, and what was typed into it. Without a row, it adds one under the id; otherwise it changes the row. */
export type RejectedForm =
  | { kind: 'prayer'; id: string; row: Prayer | null; fields: PrayerFields }
  | { kind: 'category'; id: string; row: Category | null; name: string }

const NONE: readonly RejectedChange[] = []

/** The changes that could not be saved, oldest first. They stay until the user decides what becomes of them. */
export function useRejectedChanges(): readonly RejectedDescription[] {
  const data = useContext(UserDataContext)
  const rejected = useSync((sync) => sync.status().rejected, NONE)
  const prayers = usePrayers().rows
  const categories = useCategories().rows
  return useMemo(
    () =>
      rejected.map((change) => ({
        ...describe(change, prayers ?? [], categories ?? []),
        tryAgain: async () => (await data?.opened)?.tryAgain(change.id),
        discard: async () => (await data?.opened)?.discard(change.id),
      })),
    [rejected, prayers, categories, data],
  )
}

/** Describes a rejected change, given the rows as they are shown without it. */
export function describe(
  change: RejectedChange,
  prayers: readonly Prayer[],
  categories: readonly Category[],
): Omit<RejectedDescription, 'tryAgain' | 'discard'> {
  const { id, at, table, row: rowId } = change
  const described =
    table === 'prayers'
      ? describePrayer(change, prayers.find((prayer) => prayer.id === rowId) ?? null)
      : describeCategory(change, categories.find((category) => category.id === rowId) ?? null)
  return { id, at, reason: reasonOf(change), ...described }
}

type Described = Pick<RejectedDescription, 'title' | 'text' | 'form'>

function describePrayer(change: RejectedChange, row: Prayer | null): Described {
  const { id, kind, fields } = change
  const typed: PrayerFields = {
    category_id: textIn(fields, 'category_id') ?? row?.category_id ?? '',
    person_name: textIn(fields, 'person_name') ?? row?.person_name ?? '',
    note: 'note' in fields ? textIn(fields, 'note') : (row?.note ?? null),
    resolved: 'resolved' in fields ? fields['resolved'] === true : (row?.resolved ?? false),
  }
  const name = row?.person_name ?? typed.person_name
  const ofName = name === '' ? 'a prayer' : `the prayer for ${name}`
  const text = [textIn(fields, 'person_name'), textIn(fields, 'note')].filter(Boolean).join('\n\n')
  if (kind === 'delete') return { title: `Delete ${ofName}`, text, form: null }
  if (kind === 'insert')
    return {
      title: `Add ${ofName}`,
      text,
      form: { kind: 'prayer', id: change.row, row: null, fields: typed },
    }
  const mark = `Mark ${ofName} as ${typed.resolved ? 'resolved' : 'unresolved'}`
  const others = 'category_id' in fields ? `Move ${ofName}` : mark
  const title = 'person_name' in fields || 'note' in fields ? `Change ${ofName}` : others
  // A prayer that was deleted elsewhere can be saved as a new one. The id of the change serves as its id.
  return { title, text, form: { kind: 'prayer', id: row?.id ?? id, row, fields: typed } }
}

function describeCategory(change: RejectedChange, row: Category | null): Described {
  const { id, kind, fields } = change
  const typed = textIn(fields, 'name')
  const name = row?.name ?? typed
  const ofName = name === null ? 'a category' : `the category “${name}”`
  const text = typed ?? ''
  if (kind === 'call') return { title: 'Reorder the categories', text, form: null }
  if (kind === 'delete') return { title: `Delete ${ofName}`, text, form: null }
  if (kind === 'insert')
    return { title: `Add ${ofName}`, text, form: { kind: 'category', id: change.row, row: null, name: text } }
  if (typed === null) {
    const verb = fields['is_visible'] === true ? 'Show' : 'Hide'
    return { title: `${verb} ${ofName}`, text, form: null }
  }
  const title = row ? `Rename ${ofName} to “${typed}”` : `Rename a category to “${typed}”`
  return { title, text, form: { kind: 'category', id: row?.id ?? id, row, name: typed } }
}

function reasonOf(change: RejectedChange): string {
  switch (change.reason) {
    case 'rejected':
    case 'conflict':
      return failureMessage(change, change)
    case 'deleted':
      return 'It was deleted on another device.'
    case 'depends':
      return 'It belongs to something that could not be added.'
    case 'restored':
      return 'The server was restored from a backup that does not have it.'
  }
}

function textIn(fields: Fields, name: string): string | null {
  const value = fields[name]
  return typeof value === 'string' ? value : null
}
