import type { Deletion, Insert, Update } from './change.ts'
import { keepBoth, keptBack, STAND_IN, type Texts, textsByOwner, undecided } from './conflict-copies.ts'
import { hasText, type KeptChanges, pick, type OwnRow } from './conflicts.ts'
import { isEqual } from './is-equal.ts'
import { type Row, type Rules, type TableName, tablesOf, type Values } from './schema.ts'
import { plainColumns, UNREADABLE } from './sealing/encryption-status.ts'
import type { ReadonlyState } from './state.ts'
import type { StoredRow } from './storage.ts'

/** Where a row was, with its revision when it was deleted. */
export interface Tombstone {
  table: TableName
  id: string
  rowRev: number
}

export interface RestoreOptions {
  rules: Rules
  userId: string
  newId: () => string
  /** Null if texts are not sealed. */
  idKey: Uint8Array | null
  /** The time, as ISO 8601 text. */
  at: string
  /**
   * Of the rows of this device, those up to this revision were in the backup. After one restore, the next two are the same, unless this device
   * had received less; after several, they differ.
   */
  backedUpTo: number
  /** Of the rows of the restored server, those up to this revision are not newer than what this device has of them. */
  knownTo: number
  /** Of these, this device has received those up to this revision before: if it lacks one, it was deleted here. */
  receivedTo: number
  /** The rows of the restored server. */
  rows: readonly StoredRow[]
  tombstones: readonly Tombstone[]
}

/**
 * What this device has received and a server that was restored from an older backup does not have any more. Rows that are
 * missing are added again, and those that the server has only from the backup are changed again. Of a row that was changed
 * since, theirs stays: a text from here becomes a conflict copy. A name that has no copy, or what was deleted by someone who has not
 * seen it, is kept for the user to decide.
 *
 * Texts move: the answer of a prayer that is reopened is an update then. So none is added that its owner, the prayer, has got from
 * elsewhere; and what was deleted here since the backup is deleted again if its text is in what is sent.
 */
export function keptAfterRestore(received: ReadonlyState['rows'], options: RestoreOptions): KeptChanges {
  const { rules, knownTo, receivedTo, rows } = options
  const { missing, ours, theirs, incomplete, unseen, marked } = lostRows(received, options)
  const notHere = rows.filter(({ table, row }) => !received[table].has(row.id))

  const others = notHere.filter(({ row }) => writtenRev(row) > knownTo)
  const newTexts = textsByOwner([...others, ...theirs.map((each) => withNewTexts(each, rules))], rules)
  const added = missing.filter((each) => !newTexts.includeThoseOf(each))
  const sent = [...added, ...ours.map(({ here }) => here)]
  const sentTexts = textsByOwner(sent, rules)
  const deletedHere = notHere.filter(({ row }) => writtenRev(row) <= receivedTo)
  const moved = deletedHere.filter((each) => sentTexts.includeThoseOf(each))

  const replaced = new Set([...ours.map(({ here }) => here.row.id), ...moved.map(({ row }) => row.id)])
  const texts = textsByOwner([...sent, ...rows.filter(({ row }) => !replaced.has(row.id))], rules)
  const copied = theirs.map(({ here, server }) =>
    keepBoth({ ...options, texts }, ownRow(options, here), server),
  )
  const keptForUser = (here: StoredRow, reason: 'restored' | 'deleted', names?: readonly string[]) => {
    const own = ownRow(options, here)
    const kept = undecided(names ? { ...own, fields: pick(own.fields, names) } : own, reason)
    return plainColumns(here.row).length > 0 ? { ...kept, isPlain: true as const } : kept
  }
  return {
    // Rows first: a text may be gone in one row because it has moved to another one.
    changes: [
      ...added.map((here): Insert => Object.assign(ownRow(options, here), { kind: 'insert' } as const)),
      ...copied.flatMap(({ changes }) => changes),
      ...[...ours, ...incomplete].flatMap((each) => updatesToRepeat(options, each, newTexts)),
      ...moved.map((each) => deletionToRepeat(options, each)),
    ],
    rejected: [
      ...unseen.map((here) => keptForUser(here, 'deleted')),
      ...copied.flatMap(({ rejected }) => rejected),
      ...marked.map(({ here, names }) => keptForUser(here, 'restored', names)),
    ],
  }
}

/** A row as it is here, and on the restored server. */
interface RowPair {
  here: StoredRow
  server: Row
  /** The time that its text has here. */
  datedAt: string | undefined
}

/** The received rows that were written after the backup, by what has become of them on the server. */
interface LostRows {
  /** It does not know of them. */
  missing: readonly StoredRow[]
  /** It has them as in the backup. */
  ours: readonly RowPair[]
  /** They were written since. */
  theirs: readonly RowPair[]
  /** Of these, the columns that another device has kept back (`keptBack`). */
  incomplete: readonly RowPair[]
  /** They were deleted since, by someone who has not seen them; or it does not know of these updates, and they are not sealed. */
  unseen: readonly StoredRow[]
  /** The other texts that are not sealed. Like those, they are not sent before the user has decided that they are the user's. */
  marked: readonly { here: StoredRow; names: readonly string[] }[]
}

function lostRows(
  received: ReadonlyState['rows'],
  { rules, at, backedUpTo, knownTo, rows, tombstones }: RestoreOptions,
): LostRows {
  const onServer = new Map(rows.map(({ row }) => [row.id, row]))
  const deleted = new Map<unknown, Tombstone>(tombstones.map((tombstone) => [tombstone.id, tombstone]))
  const wasSeen = (row: Row | undefined) => row !== undefined && deleted.get(row.id)?.rowRev === row.rev
  const [missing, unseen]: [StoredRow[], StoredRow[]] = [[], []]
  const [ours, theirs, incomplete]: [RowPair[], RowPair[], RowPair[]] = [[], [], []]
  const marked: { here: StoredRow; names: readonly string[] }[] = []

  const sort = (here: StoredRow) => {
    const { table, row } = here
    const server = onServer.get(row.id)
    const plain = plainColumns(row).map(String)
    if (server) {
      const names = plain.filter((name) => !isEqual(row[name], server[name]))
      if (names.length > 0) marked.push({ here, names })
      const isKnown = (name: string) => !plain.includes(name) && row[name] !== STAND_IN
      const pair = (isPart: (name: string) => boolean): RowPair => {
        const part = withColumns(row, (name) => isKnown(name) && isPart(name))
        return { here: { table, row: part }, server, datedAt: rules[table].datedAt?.(row) }
      }
      if (writtenRev(server) <= knownTo) return void ours.push(pair(() => true))
      const keptThere = keptBack(server, table, rules)
      theirs.push(pair((name) => !keptThere.includes(name)))
      return void incomplete.push(pair((name) => keptThere.includes(name)))
    }
    const { reference } = rules[table]
    const parentId = reference?.cascades ? row[reference.column] : null
    if (!deleted.has(row.id) && !deleted.has(parentId)) {
      // An update is nothing without its text.
      if (plain.includes('body')) return void unseen.push(here)
      if (row['body'] === UNREADABLE) return
      if (plain.length > 0) marked.push({ here, names: plain })
      const texts: readonly string[] = rules[table].texts
      const isUnsent = (name: string) => plain.includes(name) || row[name] === UNREADABLE
      const unsent = rules[table].typed.filter(isUnsent)
      const standIns = Object.fromEntries(
        unsent.map((name) => [name, texts.includes(name) ? null : STAND_IN]),
      )
      // With the time of an update that removes them: the database does not take the one that it has for that of another text.
      const derived = pick(rules[table].derive?.({ fields: standIns, base: row, at }) ?? {}, Object.keys(row))
      return void missing.push({ table, row: { ...row, ...derived, ...standIns } })
    }
    const parent =
      reference && typeof parentId === 'string' ? received[reference.table].get(parentId) : undefined
    // A change of a row raises its parent's revision. What was written here after the parent was received is not part of it, so
    // whoever deleted the parent has not seen it.
    const isPartOfParent = parent !== undefined && row.rev <= parent.rev
    if (!wasSeen(row) && !(isPartOfParent && wasSeen(parent))) unseen.push(here)
  }
  for (const table of tablesOf(rules))
    for (const row of received[table].values()) if (writtenRev(row) > backedUpTo) sort({ table, row })
  return { missing, ours, theirs, incomplete, unseen, marked }
}

function withColumns({ id, rev, ...row }: Row, isColumn: (name: string) => boolean): Row {
  return { id, rev, ...Object.fromEntries(Object.entries(row).filter(([name]) => isColumn(name))) }
}

/** The row of the server without the texts that are here as well. */
function withNewTexts({ here: { table, row }, server }: RowPair, rules: Rules): StoredRow {
  const texts: readonly string[] = rules[table].texts
  const known = new Set(texts.map((name) => row[name]))
  const same = texts.filter((name) => known.has(server[name]))
  return { table, row: { ...server, ...Object.fromEntries(same.map((name) => [name, null])) } }
}

/** The revision of the last write that has changed more than what the database computes, if the table has a column for it. */
function writtenRev({ rev, written_rev: written }: Row): number {
  return typeof written === 'number' ? written : rev
}

function ownRow({ userId, newId, at }: RestoreOptions, { table, row }: StoredRow): OwnRow {
  const { rev: _rev, plain: _plain, ...all } = row
  // What cannot be read here cannot be sent.
  const fields = pick(
    all,
    Object.keys(all).filter((name) => row[name] !== UNREADABLE),
  )
  return { id: newId(), user_id: userId, at, table, row: row.id, fields, isLost: true }
}

/**
 * What turns a row of the backup into the one that was received, unless another device changes it meanwhile; without the texts that its
 * owner has got from others.
 */
function updatesToRepeat(
  options: RestoreOptions,
  { here, server, datedAt }: RowPair,
  newTexts: Texts,
): readonly Update[] {
  const own = ownRow(options, here)
  const fields: Values = own.fields
  const computed: readonly string[] = options.rules[own.table].computed
  const texts: readonly string[] = options.rules[own.table].texts
  const differing = Object.keys(fields).filter(
    (name) =>
      name in server &&
      !computed.includes(name) &&
      !isEqual(server[name], fields[name]) &&
      !(texts.includes(name) && newTexts.include(here, fields[name])),
  )
  // Texts that are gone come first: the database would keep the answer of a prayer that is reopened as an update, which this
  // device has as well.
  const isGone = (name: string) => texts.includes(name) && !hasText(fields[name])
  const toUpdate = (names: readonly string[]): Update => {
    const [received, base] = [pick(own.fields, names), pick(server, names)]
    return { ...own, id: options.newId(), kind: 'update', fields: received, base, datedAt }
  }
  return [differing.filter(isGone), differing.filter((name) => !isGone(name))]
    .filter((names) => names.length > 0)
    .map(toUpdate)
}

/** Deletes a row of the backup, unless another device changes its texts meanwhile. */
function deletionToRepeat(options: RestoreOptions, server: StoredRow): Deletion {
  const { fields, isLost: _lost, ...own } = ownRow(options, server)
  const base = pick(fields, options.rules[server.table].texts)
  return { ...own, kind: 'delete', base, seen: Object.values(base) }
}
