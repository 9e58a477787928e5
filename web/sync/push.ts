import { type Change, type Insert, Rejection } from './change.ts'
import type { SavedChange } from './replica.ts'
import { isSaved, type Pending } from './pending.ts'
import { changedRows, parentOf } from './references.ts'
import type { Cursor, Rules, TableName } from './schema.ts'
import {
  MAX_ROWS,
  type ChangeOutcome,
  PullNeeded,
  sendChange,
  sendInserts,
  type SendOptions,
} from './send-change.ts'
import { judge, OUTDATED_STATE, RequestError, type Server } from './server.ts'
import type { ReadonlyState } from './state.ts'
import { hasBegun } from './storage.ts'
import type { Acknowledgement } from './writes.ts'

/** A change with which the server has failed this many times in a row is set aside. */
const MAX_FAULTS = 5
/** How many bytes of JSON the rows have at most that one request adds, unless it is one row. */
const MAX_BYTES = 200_000

interface PushOptions extends Omit<SendOptions, 'server' | 'isRestored'> {
  /** The server, on condition that it still has this epoch: otherwise, it rejects every change with OUTDATED_STATE. */
  serverOf: (epoch: string | null) => Server
  /** Whether the server was restored from a backup since it was pulled up to this cursor. */
  isRestored: (from: Cursor | null) => Promise<boolean>
}

/** Sends the pending changes of one user. */
export interface Push {
  /**
   * Sends the changes one after the other, until none is left or a pull is needed; stored inserts into one table that follow
   * one another are one request. If the server rejects it, or fails with it, fewer are sent, until the wrong one is alone.
   *
   * A fault of the server (see `judge`) may be one with this change only: after five in a row, it is set aside with what
   * depends on it, and the others are sent. Then those that are set aside are tried in turn, until one fails again: one in a
   * round.
   *
   * @param isTimeUp whether to stop before the next request
   * @returns whether it has stopped because a pull is needed: the server seems to have been restored
   * @throws if the server could not be reached, or could not save a change
   */
  sendAll: (isTimeUp: () => boolean) => Promise<boolean>
  /** Whether nothing is left to send, apart from what is set aside, and what is still being stored. */
  hasSentAll: () => boolean
}

export function createPush(options: PushOptions): Push {
  const { replica, rules } = options
  /** How many times in a row the server met a fault, by the id of the change. */
  const faults = new Map<string, number>()
  /** The ids of the changes with which it met too many: others are sent first. The one that was tried last comes last. */
  const setAside = new Set<string>()
  /** The ids of inserts of which it is not known what has become of them when they were sent with others. */
  const alone = new Set<string>()
  const joining = createJoining()

  const toSend = () => changesToSend(replica.state(), setAside, rules)
  const nextSetAside = (): Group | undefined => {
    for (const id of setAside) {
      const pending = replica.state().pending.get(id)
      if (pending) return [pending]
      // Another tab has sent it.
      setAside.delete(id)
    }
    return undefined
  }
  const isJoinable = (pending: Pending): pending is PendingInsert =>
    isStoredInsert(pending) && !pending.change.typedBefore && !alone.has(pending.change.id)
  /** What the next request is about: one change, or inserts that can be joined; undefined if nothing is to be sent. */
  const nextGroup = (): Group | undefined => {
    const changes = toSend()
    const first = changes.next().value
    if (!first || !isJoinable(first)) return first && [first]
    const group: [PendingInsert, ...PendingInsert[]] = [first]
    let bytes = bytesOf(first)
    if (joining.most() > 1)
      for (const each of changes) {
        if (!isJoinable(each) || each.change.table !== first.change.table) break
        bytes += bytesOf(each)
        if (bytes > MAX_BYTES) break
        if (group.push(each) === joining.most()) break
      }
    return group
  }
  const takeOver = async (outcomes: readonly ChangeOutcome[], sentFrom: Cursor | null) => {
    const [acknowledged, saved]: [Acknowledgement[], SavedChange[]] = [[], []]
    for (const { change, outcome } of outcomes) {
      if ('savedAs' in outcome) saved.push({ change, rev: outcome.savedAs })
      else if ('kept' in outcome) await replica.replace(outcome, sentFrom)
      else acknowledged.push({ change, rows: outcome })
    }
    // In one transaction, however many they are.
    if (acknowledged.length > 0) await replica.acknowledge(acknowledged, sentFrom)
    if (saved.length > 0) replica.markSaved(saved, sentFrom)
  }
  const sendGroup = async (group: Group, sentFrom: Cursor | null) => {
    const server = options.serverOf(sentFrom?.epoch ?? null)
    const isRestored = () => options.isRestored(sentFrom)
    const outcomes = await outcomesOf({ ...options, server, isRestored }, group)
    await takeOver(outcomes, sentFrom)
    const known = new Set(outcomes.map(({ change }) => change.id))
    for (const { change } of group) {
      if (known.has(change.id)) alone.delete(change.id)
      else alone.add(change.id)
      faults.delete(change.id)
      setAside.delete(change.id)
    }
  }
  const send = async (group: Group) => {
    const isInsert = group.every(isStoredInsert)
    // Another tab may pull from a restored server meanwhile. What is decided here is not about its rows.
    const { cursor: sentFrom } = replica.state()
    try {
      await sendGroup(group, sentFrom)
      if (isInsert) joining.saved(group.length)
    } catch (error) {
      if (error instanceof RequestError && error.code === OUTDATED_STATE) throw new PullNeeded()
      if (isInsert) joining.failed(group.length, error)
      const [{ change }, ...others] = group
      // One of them is wrong. Fewer are sent next.
      if (others.length > 0 && error instanceof RequestError && judge(error) !== 'retry') return
      const rejection = others.length === 0 && rejectionOf(error)
      if (!rejection) throw error
      if (await options.isRestored(sentFrom)) throw new PullNeeded()
      await replica.reject(change, rejection, sentFrom)
    }
  }
  /** Resolves to the fault because of which a change was set aside; null if there was none. */
  const sendOrSetAside = async (group: Group): Promise<RequestError | null> => {
    const [{ change }, ...others] = group
    try {
      await send(group)
      return null
    } catch (error) {
      if (others.length > 0) throw error
      const isFault = error instanceof RequestError && judge(error) === 'fault'
      const count = isFault ? (faults.get(change.id) ?? 0) + 1 : 0
      faults.set(change.id, count)
      if (!isFault || count < MAX_FAULTS || setAside.has(change.id)) throw error
      setAside.add(change.id)
      return error
    }
  }
  return {
    hasSentAll: () => {
      const next = toSend().next().value
      return !next || next.state === 'storing'
    },
    sendAll: async (isTimeUp) => {
      let fault: RequestError | null = null
      for (;;) {
        // Another tab may have sent some of them.
        await replica.refresh()
        const group: Group | undefined = nextGroup() ?? (fault ? undefined : nextSetAside())
        // A change that is being stored starts another round once it is.
        if (!group || group[0].state === 'storing' || isTimeUp()) break
        const { id } = group[0].change
        // If it fails again, it is the last one to be tried.
        if (setAside.delete(id)) setAside.add(id)
        try {
          fault = (await sendOrSetAside(group)) ?? fault
        } catch (error) {
          if (error instanceof PullNeeded) return true
          throw error
        }
        // The first change of an account begins its epoch. A pull has to learn it before it can tell what a server that was
        // restored from a backup has lost of the others.
        if (!hasBegun(replica.state().cursor)) break
      }
      if (fault) throw fault
      return false
    },
  }
}

/**
 * The changes that the server has not saved yet, in order, apart from those of rows of which an update is saved but not received, and
 * apart from those that are set aside and what must not be sent before them: later changes of the same rows, inserts and moves of rows that refer to them, deletions of rows that they refer to, and
 * functions that change whatever there is. And so on: what depends on these has to wait as well.
 */
function* changesToSend(
  { pending, rows }: ReadonlyState,
  setAside: ReadonlySet<string>,
  rules: Rules,
): Generator<Pending, undefined> {
  const [waiting, referredTo, tables] = [new Set<string>(), new Set<unknown>(), new Set<TableName>()]
  // If the page is closed before they are received, they are sent again: that would undo what is sent of their rows after them.
  const updated = new Set<string>()
  for (const each of pending) {
    const { change } = each
    if (isSaved(each)) {
      if (isUpdate(change, rules)) for (const row of changedRows(change, rules)) updated.add(row)
      continue
    }
    const { table } = change
    const [ids, parent] = [changedRows(change, rules), parentOf(change, rules)]
    const isOfWaitingRow =
      ids.some((row) => waiting.has(row) || updated.has(row)) || (parent !== null && waiting.has(parent))
    const isDeletionAbove = change.kind === 'delete' && referredTo.has(change.row)
    const isOfWaitingTable = change.kind === 'call' && ids.length === 0 && tables.has(table)
    const isHeld = isOfWaitingRow || isDeletionAbove || isOfWaitingTable
    if (!isHeld && !setAside.has(change.id)) {
      yield each
      continue
    }
    const { reference } = rules[table]
    // What its rows refer to by now, and from then on.
    for (const row of ids) {
      waiting.add(row)
      if (reference) referredTo.add(rows[table].get(row)?.[reference.column])
    }
    referredTo.add(parent)
    tables.add(table)
  }
  return undefined
}

/** Whether a change gives rows other fields, whatever they have. */
function isUpdate(change: Change, rules: Rules): boolean {
  if (change.kind === 'call') return rules[change.table].calls[change.name]?.update !== undefined
  return change.kind === 'update'
}

/** What one request is about: one change, or several stored inserts into one table. */
type Group = readonly [Pending, ...Pending[]]

type PendingInsert = Pending & { change: Insert }

function isStoredInsert(pending: Pending): pending is PendingInsert {
  return pending.state === 'stored' && pending.change.kind === 'insert'
}

function bytesOf({ change }: PendingInsert): number {
  return new TextEncoder().encode(JSON.stringify(change.fields)).length
}

/**
 * How many inserts are joined at most. After a failure, a wrong one is among those that were sent: half of them are sent, and so
 * on until it is alone. Then twice as many as succeed: if all are wrong, the server has little to reject twice.
 */
function createJoining() {
  let most = MAX_ROWS
  /** One of so many is wrong: those that are sent next. */
  let suspects = 0
  return {
    most: () => most,
    saved: (count: number) => {
      suspects = Math.max(0, suspects - count)
      most = suspects > 0 ? Math.ceil(suspects / 2) : Math.min(MAX_ROWS, 2 * most)
    },
    failed: (count: number, error: unknown) => {
      // If the connection was lost, perhaps because of the size, none is wrong.
      suspects = error instanceof RequestError && error.status > 0 && count > 1 ? count : 0
      most = Math.ceil(count / 2)
    },
  }
}

function rejectionOf(error: unknown): Rejection | null {
  if (error instanceof Rejection) return error
  return error instanceof RequestError && judge(error) === 'rejected'
    ? new Rejection('rejected', error)
    : null
}

/** Sends changes with one request. Resolves without those that have to be sent alone. */
async function outcomesOf(options: SendOptions, group: Group): Promise<readonly ChangeOutcome[]> {
  const [first, ...others] = group
  if (others.length > 0)
    return sendInserts(
      options,
      group.filter(isStoredInsert).map(({ change }) => change),
    )
  return [{ change: first.change, outcome: await sendChange(options, first) }]
}
