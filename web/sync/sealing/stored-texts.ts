import { PAGE_SIZE } from '#shared/limits.ts'
import type { Row, TableName, Values } from '../schema.ts'
import { dataOf, requireRows, type Server } from '../server.ts'
import { UNREADABLE } from './encryption-status.ts'
import { mapRows, openRow, SEALED_TABLES, sealedColumns, sealRow } from './row-texts.ts'
import { keyIdOf, type Keys } from './sealed-text.ts'

/** What one call of `replace_texts` takes. */
const MAX_REPLACED = { rows: 500, bytes: 480_000 }

/** A column of a row with a text. */
export interface TextPlace {
  table: TableName
  id: string
  column: string
}

/** Which texts get which form. */
export interface Replacing {
  own: Keys
  /** Whether they are sealed with this key; otherwise they become plain. */
  isSealing: boolean
  isWrong: (text: string, place: TextPlace) => boolean
}

/** The texts on the server, in the form that they have there. */
export interface StoredTexts {
  /** All rows with texts. */
  pages: () => AsyncGenerator<{ table: TableName; page: readonly Row[] }>
  /** The rows that have to be replaced, with their new texts. What no key opens stays as it is. */
  list: (texts: Replacing) => Promise<Values[]>
  hasSome: (texts: Replacing) => Promise<boolean>
  /** Replaces as many of these rows as one call takes, and removes them from the list. */
  replaceSome: (todo: Values[]) => Promise<void>
  /** Names for the categories that a lost key has sealed, in which prayers may remain that the next one has sealed. */
  newCategoryNames: (next: Keys, lost: string) => Promise<Record<string, string>>
}

interface StoredTextsOptions {
  server: Server
  userId: string
  keys: ReadonlyMap<string, Keys>
  /** The row in whose place a text is sealed. */
  placeOf: (table: TableName, id: string, fields: Values) => string
  replace: (rows: Values[]) => Promise<void>
}

export function createStoredTexts(options: StoredTextsOptions): StoredTexts {
  const { server, userId, keys, placeOf, replace } = options
  const pages = async function* () {
    for (const table of SEALED_TABLES) {
      const columns = sealedColumns(table)
      const names = ['id', 'rev', ...columns, ...(table === 'prayer_updates' ? ['prayer_id'] : [])].join(',')
      for (let after: string | null = null, isLast = false; !isLast;) {
        const request = server.from(table).select(names).eq('user_id', userId).order('id').limit(PAGE_SIZE)
        const page: readonly Row[] = requireRows(
          await dataOf(after === null ? request : request.gt('id', after)),
        )
        yield { table, page }
        after = page.at(-1)?.id ?? null
        isLast = page.length < PAGE_SIZE
      }
    }
  }
  const replacement = async (
    { own, isSealing, isWrong }: Replacing,
    table: TableName,
    { id, rev, ...row }: Row,
  ) => {
    const wrong = sealedColumns(table).filter((column) => {
      const text = row[column]
      return typeof text === 'string' && text !== '' && isWrong(text, { table, id, column })
    })
    if (wrong.length === 0) return null
    const place = placeOf(table, id, row)
    const opened = await openRow(
      keys,
      table,
      place,
      Object.fromEntries(wrong.map((name) => [name, row[name] ?? null])),
    )
    const readable = Object.fromEntries(Object.entries(opened).filter(([, text]) => text !== UNREADABLE))
    if (Object.keys(readable).length === 0) return null
    return { table, id, rev, ...(isSealing ? await sealRow(own, table, place, readable) : readable) }
  }
  const replacements = async function* (texts: Replacing) {
    for await (const { table, page } of pages()) {
      const replaced = await mapRows(page, (row) => replacement(texts, table, row))
      yield* replaced.filter((each) => each !== null)
    }
  }
  return {
    pages,
    list: async (texts) => {
      const list: Values[] = []
      for await (const each of replacements(texts)) list.push(each)
      return list
    },
    hasSome: async (texts) => !(await replacements(texts).next()).done,
    replaceSome: (todo) => replace(takeSome(todo, MAX_REPLACED)),
    newCategoryNames: async (next, lost) => {
      const names: Record<string, string> = {}
      for await (const { table, page } of pages()) {
        if (table !== 'categories') break
        for (const { id, name } of page)
          if (typeof name === 'string' && keyIdOf(name) === lost)
            names[id] = (await sealRow(next, table, id, { name: 'Category' })).name
      }
      return names
    },
  }
}

/** Takes as many rows from the list as one call can have. */
export function takeSome<Some>(todo: Some[], most: { rows: number; bytes: number }): Some[] {
  const taken: Some[] = []
  let bytes = 0
  for (const row of todo) {
    bytes += new TextEncoder().encode(JSON.stringify(row)).length + 1
    if (taken.length === most.rows || (bytes > most.bytes && taken.length > 0)) break
    taken.push(row)
  }
  todo.splice(0, taken.length)
  return taken
}
