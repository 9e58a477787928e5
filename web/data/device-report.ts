import { useCallback, useContext } from 'react'
import { isInstalled } from '#web/lib/notification-support.ts'
import type { RejectedChange } from '#web/sync/change.ts'
import type { Sync } from '#web/sync/open-sync.ts'
import { tablesOf } from '#web/sync/schema.ts'
import { judge, RequestError } from '#web/sync/server.ts'
import type { SyncStatus } from '#web/sync/sync-engine.ts'
import { UserDataContext, useSync } from './rows.ts'
import { TABLES } from './tables.ts'

const MINUTE_MS = 60_000
/** How long changes wait, in milliseconds, before a report is offered. */
const LONG_WAIT_MS = 24 * 60 * MINUTE_MS
/** The same, if the server fails with a change: by then, it is set aside. */
const FAULTY_WAIT_MS = 5 * MINUTE_MS

/**
 * Writes a report for whoever helps the user. Null if there is nothing to report: no change could not be saved, and none has been
 * waiting for more than a day.
 */
export function useDeviceReport(): (() => string) | null {
  const data = useContext(UserDataContext)
  const isStuck = useSync((sync) => needsHelp(sync.status(), Date.now()), false)
  const write = useCallback(() => {
    const sync = data?.sync()
    return sync ? reportOf(sync, new Date()) : ''
  }, [data])
  return isStuck ? write : null
}

function needsHelp({ rejected, waiting, waitingSince, error }: SyncStatus, now: number): boolean {
  if (rejected.length > 0) return true
  if (waiting === 0 || waitingSince === null) return false
  const waited = now - Date.parse(waitingSince)
  const isFault = error instanceof RequestError && judge(error) === 'fault'
  return waited > (isFault ? FAULTY_WAIT_MS : LONG_WAIT_MS)
}

/**
 * Versions, counts, states, codes and times. Nothing that a user or a server has written gets in: no text, name, address, id
 * or message.
 */
function reportOf(sync: Sync, now: Date): string {
  const status = sync.status()
  const { rejected, waiting, waitingSince } = status
  const lines = [
    `Version: ${import.meta.env.APP_VERSION ?? 'development'}, ${buildOf(import.meta.url)}`,
    `Browser: ${navigator.userAgent}`,
    `Columns: ${Object.values(TABLES)
      .map(({ name, columns }) => `${name} ${String(columns.length)}`)
      .join(', ')}`,
    `Written: ${now.toISOString()}`,
    `Stored on this device: ${yesOrNo(status.durable)}. Installed: ${yesOrNo(isInstalled())}. Network: ${yesOrNo(navigator.onLine)}.`,
    `Rows: ${tablesOf(TABLES)
      .map((table) => `${table} ${String(sync.rows(table).length)}`)
      .join(', ')}, not readable ${String(sync.countUnreadable())}.`,
    `All received: ${yesOrNo(status.complete)}. Older than the server: ${yesOrNo(sync.outdated.get())}.`,
    `Encryption: ${status.encryption.state}`,
    `Waiting: ${String(waiting)}${waitingSince === null ? '' : `, since ${timeOf(waitingSince)}`}`,
    `Last attempt: ${outcomeOf(status)}`,
    `Could not be saved: ${String(rejected.length)}`,
    ...rejected.map(rejectedLine),
  ]
  return `${lines.join('\n')}\n`
}

/** The name of the built file, which has a hash of its content. */
function buildOf(url: string): string {
  return /[\w.-]+(?=$|\?)/.exec(url)?.[0] ?? ''
}

function yesOrNo(is: boolean): string {
  return is ? 'yes' : 'no'
}

function timeOf(text: string): string {
  const time = Date.parse(text)
  return Number.isNaN(time) ? 'unknown' : new Date(time).toISOString()
}

function outcomeOf({ error, fetching, retryAfter }: SyncStatus): string {
  if (error === null) return fetching ? 'in progress' : 'succeeded'
  const retry = retryAfter > 0 ? `, again after ${String(retryAfter)} s` : ''
  if (!(error instanceof RequestError)) return `${error.name}${retry}`
  if (error.status === 0) return `no response${retry}`
  return `status ${String(error.status)}, code ${codeOf(error.code)}${retry}`
}

function rejectedLine({ table, kind, reason, code, at }: RejectedChange): string {
  return `- ${kind} in ${table}: ${reason}, code ${codeOf(code)}, made ${timeOf(at)}`
}

/** What was sent may be of something else than the data API. */
function codeOf(code: string): string {
  if (code === '') return 'none'
  return /^(?=.*\d)(?:[\dA-Z]{5}|PGRST\w{2,3})$/.test(code) ? code : 'unknown'
}
