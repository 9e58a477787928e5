// Loaded when it is needed first: few devices ever see a conflict of texts or a restored server.
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Json } from '#shared/database.types.ts'
import type { Change, Insert, RejectedChange, Update } from './change.ts'
import { conflictingColumns, hasText, type KeptChanges, pick, type OwnRow } from './conflicts.ts'
import { attemptsOf } from './earlier-attempts.ts'
import { isEqual } from './is-equal.ts'
import { changedRows } from './references.ts'
import type { Replica } from './replica.ts'
import { type MovedText, type Row, type Rules, type TableName, tablesOf, type Values } from './schema.ts'
import type { SendOptions } from './send-change.ts'
import type { StoredRow } from './storage.ts'
import type { Replacement } from './writes.ts'

/**
 * What a restored server gets instead of a name that must not be sent before the user decides. Nobody is expected to type it, so any other
 * name replaces it without a question.
 */
export const STAND_IN = 'Name missing after a restore'

interface ConflictOptions {
  rules: Rules
  newId: () => string
  /** Null if texts are not sealed. */
  idKey: Uint8Array | null
  /** Those that need no copy of what a restored server has lost, or an earlier attempt of the form may have kept. */
  texts: Texts
}

/** The texts of rows by their owners: a row, with the rows that are deleted with it. Copies count as the texts that they keep. */
export interface Texts {
  /** Whether the owner of a row has a text. */
  include: (row: StoredRow, text: Json | undefined) => boolean
  /** Whether a row has texts, and its owner has all of them. */
  includeThoseOf: (row: StoredRow) => boolean
}

/**
 * What takes the place of a change of which these columns have lost against the row of the server: what is kept of them, and an update with the
 * others, which is sent next.
 *
 * @param server null if the row was deleted
 * @param newer rows that belong to this one, and were not received yet
 */
export function replacementOf(
  options: Pick<SendOptions, 'replica' | 'rules' | 'newId' | 'encryption'>,
  change: Insert | Update,
  lost: readonly string[],
  server: Row | null,
  newer: Iterable<readonly [TableName, readonly Row[]]>,
): Replacement {
  const { replica, rules, newId, encryption } = options
  if (server === null) {
    // Whoever has deleted it has seen what was sent before.
    const rejected = isSentBefore(change, rules) ? [] : [undecided(change, 'deleted')]
    return { lost: change, rest: [], kept: { changes: [], rejected } }
  }
  const otherRows = rowsToBe(replica, rules).filter(({ row }) => row.id !== server.id)
  const newerRows = [...newer].flatMap(([table, rows]) => rows.map((row) => ({ table, row })))
  const texts = textsByOwner([...otherRows, ...newerRows, { table: change.table, row: server }], rules)
  const fields: Values = change.fields
  const missing = new Set(keptBack(server, change.table, rules))
  const isSentNext = (name: string) =>
    !lost.includes(name) || (missing.has(name) && !isEqual(server[name], fields[name]))
  const sentNext = Object.keys(fields).filter(isSentNext)
  const others = lost.filter((name) => !isSentNext(name))
  const own = { ...change, fields: pick(change.fields, others) }
  const before = change.kind === 'update' ? { ...change.base, ...pick(server, [...missing]) } : server
  const update = {
    ...change,
    kind: 'update' as const,
    id: newId(),
    // An update keeps its own.
    ...(change.kind === 'insert' && { datedAt: rules[change.table].datedAt?.(fields) }),
    fields: pick(change.fields, sentNext),
    base: pick(before, sentNext),
  }
  return {
    lost: change,
    rest: sentNext.length > 0 ? [update] : [],
    kept: keepBoth({ rules, newId, idKey: encryption.idKey(), texts }, own, server),
  }
}

/** What the user has to decide about: the row was deleted on the server, or has another name there. */
export function undecided(own: OwnRow, reason: 'restored' | 'deleted'): RejectedChange {
  const { id, user_id, at, table, row, fields } = own
  return { id, user_id, at, table, kind: 'update', row, fields, base: {}, reason, code: '', message: '' }
}

/** Whether the form of a change has tried to save the same before. */
function isSentBefore(change: Insert | Update, rules: Rules): boolean {
  const typed: Values = change.fields
  const isSame = (before: Values) =>
    rules[change.table].typed.every((name) => isEqual(before[name], typed[name]))
  return attemptsOf(change).some(isSame)
}

/** The typed columns that another device has not sent because they were not encrypted there. A row that lacks any has a stand-in for its name. */
export function keptBack(row: Row, table: TableName, rules: Rules): readonly string[] {
  const isMissing = (name: string) => row[name] === STAND_IN || !hasText(row[name])
  return Object.values(row).includes(STAND_IN) ? rules[table].typed.filter(isMissing) : []
}

/**
 * Keeps what was typed here besides the row of the server: texts as conflict copies, names for the user to decide. What is the
 * same on both sides, and what was not typed, is not kept.
 */
export function keepBoth(options: ConflictOptions, own: OwnRow, server: Row): KeptChanges {
  const { typed, texts } = options.rules[own.table]
  const isText = (name: string) => texts.some((text) => text === name)
  const differing = typed.filter((name) => name in own.fields && !isEqual(server[name], own.fields[name]))
  const others = pick(
    own.fields,
    differing.filter((name) => !isText(name) && own.fields[name] !== STAND_IN),
  )
  return {
    changes: conflictCopies(options, { ...own, fields: pick(own.fields, differing.filter(isText)) }, server),
    rejected: Object.keys(others).length === 0 ? [] : [undecided({ ...own, fields: others }, 'restored')],
  }
}

/**
 * Changes that keep texts. They are stored together with their ids, so that each is made once; and several devices make one copy of what a
 * restored server has lost, which stays deleted once it was.
 */
function conflictCopies(
  { rules, newId, idKey, texts }: ConflictOptions,
  { table, user_id, at, fields, isLost, typedBefore }: OwnRow,
  server: Row,
): readonly Change[] {
  const { conflictCopy } = rules[table]
  const owner = ownerOf({ table, row: server }, rules)
  return Object.values(fields).flatMap((value) => {
    if (!hasText(value) || !conflictCopy) return []
    const text = keptText(table, value, rules)
    if ((isLost || typedBefore) && texts.include({ table, row: server }, text)) return []
    const copy = conflictCopy(owner, text, at)
    const id = isLost ? copyId(owner, text, idKey) : newId()
    const all = { ...copy.fields, id, user_id }
    const insert = { kind: 'insert', table: copy.table, row: id, fields: all, isCopy: true } as const
    return [{ ...insert, id: newId(), user_id, at }]
  })
}

/**
 * What is left to send of an update to a row that has texts of later changes already, which were typed over its own: presumably, all were saved
 * before the page was closed that had sent them. Null if nothing is.
 */
export function withoutSetLater(
  { replica, rules }: Pick<SendOptions, 'replica' | 'rules'>,
  change: Update,
  row: Row,
): Update | null {
  const fields: Values = change.fields
  const conflicting = conflictingColumns(change, row, rules)
  const later: readonly { base: Values; fields: Values }[] = changesAfter(replica, change).filter(
    (each) => each.kind === 'update',
  )
  const isSetLater = (name: string) => {
    let text = fields[name]
    for (const { base, fields: next } of later) {
      if (!(name in next) || !isEqual(base[name], text)) continue
      text = next[name]
      if (isEqual(text, row[name])) return true
    }
    return false
  }
  const left = Object.keys(fields).filter((name) => !conflicting.includes(name) || !isSetLater(name))
  return left.length === 0 ? null : { ...change, fields: pick(change.fields, left) }
}

/** Whether its row was deleted here after an update, by someone who had seen the texts of the update. */
export function isDeletedLater(
  { replica, rules }: Pick<SendOptions, 'replica' | 'rules'>,
  change: Update,
): boolean {
  const typed: Values = change.fields
  const texts = rules[change.table].texts.filter((name) => hasText(typed[name]))
  return changesAfter(replica, change).some((each) => {
    if (each.kind !== 'delete') return false
    const base: Values = each.base
    return texts.every((name) => base[name] === typed[name] || each.seen.includes(typed[name] ?? null))
  })
}

/** The changes of its row that were made here after a change. */
function changesAfter({ state }: Pick<Replica, 'state'>, { id, table, row }: Update): readonly Change[] {
  const changes = state().pending.ofRow(table, row)
  return changes.slice(changes.findIndex((change) => change.id === id) + 1)
}

/**
 * What is left to send of an update whose text may have become that of another row already, as an answer does when its prayer is reopened.
 * Nothing is left if another tab has sent it, and a later change, too: null. If it was another device that has sent a restored server the same
 * text, the other fields are.
 *
 * @param newer rows that belong to this one, and were not received yet
 */
export function withoutMovedText(
  { replica, rules }: Pick<SendOptions, 'replica' | 'rules'>,
  change: Update,
  movedText: MovedText,
  newer: Iterable<readonly [TableName, readonly Row[]]>,
): Update | null {
  const fields: Values = change.fields
  const text = fields[movedText.name]
  const [earlier, later] = [new Set<string>(), new Set<string>()]
  let ids = earlier
  for (const { change: each } of replica.state().pending) {
    if (each.id === change.id) ids = later
    else for (const id of changedRows(each, rules)) ids.add(id)
  }
  const rowsWithText = [...newer].flatMap(([child, rows]) =>
    rows
      .filter((row) => rules[child].texts.some((name) => row[name] === text))
      .map(({ id }) => ({ id, isKnown: earlier.has(id) || replica.state().rows[child].has(id) })),
  )
  if (rowsWithText.some(({ id }) => later.has(id))) return null
  if (!change.isLost || rowsWithText.every(({ isKnown }) => isKnown)) return change
  const moved = new Set<string>([movedText.name, ...movedText.with])
  const left = Object.keys(fields).filter((name) => !moved.has(name))
  return left.length === 0 ? null : { ...change, fields: pick(change.fields, left) }
}

/**
 * The id of the copy of a text, in the form of RFC 9562's version 8: all devices give it the same one (docs/encryption.md). If texts are
 * sealed, nobody else can tell from it whether they have guessed one.
 *
 * Not by `crypto.subtle`, which pages lack that the browser does not consider secure, and which would have to be called before the
 * transaction that stores the copy.
 */
export function copyId(owner: string, text: string, idKey: Uint8Array | null): string {
  const message = utf8ToBytes(JSON.stringify([owner, text]))
  const hash = bytesToHex(idKey ? hmac(sha256, idKey, message) : sha256(message))
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(12, 15)}`, `8${hash.slice(15, 18)}`]
  return [...parts, hash.slice(18, 30)].join('-')
}

/** The rows as they will be. What calls do to them is not known yet: it depends on what they find on the server. */
function rowsToBe({ state, shown }: Pick<Replica, 'state' | 'shown'>, rules: Rules): readonly StoredRow[] {
  const { pending, rows } = state()
  const calls = pending.filter(({ change }) => change.kind === 'call')
  const ofCalls = new Set(calls.flatMap(({ change }) => changedRows(change, rules)))
  return tablesOf(rules).flatMap((table) =>
    shown(table)
      .flatMap((row) => (ofCalls.has(row.id) ? (rows[table].get(row.id) ?? []) : row))
      .map((row) => ({ table, row })),
  )
}

export function textsByOwner(rows: readonly StoredRow[], rules: Rules): Texts {
  const textsOf = ({ table, row }: StoredRow) =>
    rules[table].texts
      .map((name) => row[name])
      .filter(hasText)
      .map((text) => keptText(table, text, rules))
  const byOwner = new Map<string, Set<string>>()
  for (const each of rows) {
    const owner = ownerOf(each, rules)
    const known = byOwner.get(owner) ?? new Set()
    for (const text of textsOf(each)) byOwner.set(owner, known.add(text))
  }
  return {
    include: (row, text) =>
      hasText(text) && (byOwner.get(ownerOf(row, rules))?.has(keptText(row.table, text, rules)) ?? false),
    includeThoseOf: (row) => {
      const texts = textsOf(row)
      const known = byOwner.get(ownerOf(row, rules))
      return texts.length > 0 && texts.every((text) => known?.has(text))
    },
  }
}

function ownerOf({ table, row }: StoredRow, rules: Rules): string {
  const { reference } = rules[table]
  const above = reference?.cascades ? row[reference.column] : null
  return typeof above === 'string' ? above : row.id
}

function keptText(table: TableName, text: string, rules: Rules): string {
  return rules[table].keptText?.(text) ?? text
}
