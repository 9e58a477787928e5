import { ApiError } from '../../errors/api-error.ts'
import { readObject, type Fields } from '../request-body.ts'
import type { Metadata } from './account.ts'

/**
 * In bytes, as JSON. What a person says of themselves is in every token of theirs; with much more of it the token would
 * not fit into a header, and the account could not be used any more.
 */
const MAX_BYTES = 4096

/**
 * What a request says of a person, in its `data`; {} where it says nothing. `known` is what was said before, to which
 * it is going to be added. Throws `bad_json`, or `validation_failed` where it is too much.
 */
export function readOwnData(fields: Fields, known: Metadata = {}): Metadata {
  const data = readObject(fields, 'data') ?? {}
  const isLarger = Object.values(data).some((value) => value !== null)
  if (isLarger && Buffer.byteLength(JSON.stringify({ ...known, ...data })) > MAX_BYTES) {
    throw new ApiError(400, 'validation_failed', `User data can have at most ${String(MAX_BYTES)} bytes`)
  }
  return data
}
