import { PostgrestClient } from '@supabase/postgrest-js'
import { isRecord } from '#shared/is-record.ts'
import { causeOf } from '#web/lib/error-message.ts'
import type { Row } from './schema.ts'

interface AnyTable {
  Row: Record<string, unknown>
  Insert: Record<string, unknown>
  Update: Record<string, unknown>
  Relationships: []
}

/** Tables as the synchronisation knows them: it checks each row when it arrives. */
interface AnyDatabase {
  public: {
    Tables: Record<string, AnyTable>
    Views: { [_ in never]: never }
    Functions: Record<string, { Args: Record<string, unknown>; Returns: unknown }>
  }
}

/** The data API, as the synchronisation uses it. */
export type Server = PostgrestClient<AnyDatabase>

/** The database's code for a request that names another epoch or key than that of the server, which changes nothing. */
export const OUTDATED_STATE = 'PT412'

/**
 * Creates a client of the data API.
 *
 * @param url of the REST endpoint
 * @param send adds the credentials of the owner; rejects if there are none
 * @param epoch changes fail with OUTDATED_STATE if the server has another one; null if it does not matter
 */
export function connect(url: string, send: typeof fetch, epoch: string | null): Server {
  const fetch: typeof send = async (input, init) => {
    const response = await send(input, init)
    // The client library takes an empty response of a proxy or captive portal for a success, even with status 404.
    const isJson = response.headers.get('content-type')?.includes('json')
    if (!isJson && (response.status === 404 || (response.ok && response.status !== 204)))
      throw new Error('The response is not from the data API.')
    return response
  }
  // As a preference, which needs no permission of a server of another origin, and which PostgREST leaves to the database.
  const headers = epoch === null ? {} : { prefer: `epoch=${epoch}` }
  return new PostgrestClient<AnyDatabase>(url, { fetch, headers, retry: false })
}

/** Why a request failed, from the response of the client library. */
export interface Failure {
  /** 0 if there was no response. */
  status: number
  /** SQLSTATE or a code of the data API; empty if the response was not its JSON. */
  code: string
  message: string
}

/** A response of the client library. */
export interface ServerResponse<Data> {
  data: Data
  error: unknown
  status: number
}

/** Thrown for a response that is not a success. */
export class RequestError extends Error implements Failure {
  override name = 'RequestError'
  readonly status: number
  readonly code: string

  constructor({ status, error }: Pick<ServerResponse<unknown>, 'status' | 'error'>) {
    const { message, code }: Readonly<Record<string, unknown>> = isRecord(error) ? error : {}
    super(typeof message === 'string' ? message : '')
    this.status = status
    this.code = typeof code === 'string' ? code : ''
  }
}

/** The data of a response. Throws a `RequestError` if it is not a success. */
export async function dataOf<Data>(request: PromiseLike<ServerResponse<Data>>): Promise<Data> {
  const response = await request
  if (response.error !== null) throw new RequestError(response)
  return response.data
}

/** The value as a row. Throws if it is something else: then it did not come from the data API. */
export function requireRow(value: unknown): Row {
  if (!isRow(value)) throw new Error('The response is not a row.')
  return value
}

/** The value as rows; throws if it is something else. */
export function requireRows(value: unknown): readonly Row[] {
  if (!Array.isArray(value)) throw new Error('The response is not a list of rows.')
  return value.map(requireRow)
}

function isRow(value: unknown): value is Row {
  return isRecord(value) && typeof value['id'] === 'string' && typeof value['rev'] === 'number'
}

/** Statuses of a proxy whose server does not respond. */
const NO_SERVER = new Set([502, 503, 504])

/** Whether a round failed without a response of the server: there was none, it was from something else, or the page could not go on. */
export function isUnreachable(error: Error | null): boolean {
  if (!(error instanceof RequestError)) return error !== null
  return error.status === 0 || NO_SERVER.has(error.status)
}

/** PostgREST's code for a column that a server of an older version does not have. */
const UNKNOWN_COLUMN = 'PGRST204'

/**
 * What to do about a failed change. Everything that is not certainly the data API's final word is retried: a proxy or a
 * captive portal may have answered in its place.
 */
export function judge({ status, code }: Failure): 'rejected' | 'fault' | 'retry' {
  // Without a valid token, the caller is anonymous, who may do nothing.
  if (status === 0 || status === 401 || status === 408 || status === 429) return 'retry'
  if (code === '') return 'retry'
  if (code === UNKNOWN_COLUMN) return 'fault'
  const cause = causeOf(code)
  if (status >= 400 && status < 500 && (cause === 'request' || status === 413)) return 'rejected'
  return status === 500 && cause !== 'passing' ? 'fault' : 'retry'
}
