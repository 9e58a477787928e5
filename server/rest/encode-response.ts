import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { DataResponse } from './data-request.ts'

export interface EncodedResponse extends Omit<DataResponse, 'body'> {
  /** Without one, undefined, as Fastify expects. */
  body: Buffer | undefined
}

/** Bytes that are not worth compressing. */
const MIN_BYTES = 1024
/** Bytes that are compressed at once, in less than a millisecond. Below this, another thread would cost three times as much. */
const MAX_BYTES_AT_ONCE = 128 * 1024

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const GZIP = { level: 1 }
const compressAtOnce = {
  br: (bytes: Buffer) => brotliCompressSync(bytes, BROTLI),
  gzip: (bytes: Buffer) => gzipSync(bytes, GZIP),
}
const compressInThread = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, GZIP),
}

/** Encodes the body of a response. If it is long, it is compressed in the way that the client's `Accept-Encoding` prefers. */
export async function encodeResponse(
  { status, headers, body }: DataResponse,
  acceptEncoding: string | undefined,
): Promise<EncodedResponse> {
  if (body === null) return { status, headers, body: undefined }
  // Once: a list may have 16 MiB, and others wait meanwhile.
  const bytes = Buffer.from(body)
  if (bytes.length <= MIN_BYTES) return { status, headers, body: bytes }
  const vary = 'accept-encoding'
  const encoding = negotiate(acceptEncoding?.toLowerCase() ?? '', ['br', 'gzip', 'identity']) ?? 'identity'
  if (encoding === 'identity') return { status, headers: { ...headers, vary }, body: bytes }
  const compress = bytes.length > MAX_BYTES_AT_ONCE ? compressInThread : compressAtOnce
  return {
    status,
    headers: { ...headers, vary, 'content-encoding': encoding },
    body: await compress[encoding](bytes),
  }
}
