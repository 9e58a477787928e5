import { IMPORT_MAX_BYTES } from '#shared/limits.ts'
import { UserError } from '#web/lib/error-message.ts'
import type { ExportFile } from './export-file.ts'
import { readExport } from './read-export.ts'

const MEGABYTE = 1024 * 1024

/** Reads a file that somebody chose. Rejects with a `UserError` in words for the person; nothing has been sent then. */
export async function readImportFile(file: Blob): Promise<ExportFile> {
  if (file.size > IMPORT_MAX_BYTES)
    throw new UserError(`This file is larger than ${IMPORT_MAX_BYTES / MEGABYTE} MB.`)
  return readExport(parse(await file.arrayBuffer()))
}

function parse(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    // What the parser says would quote the file.
    throw new UserError('This is not a data file of an export: it can not be read.', { cause })
  }
}
