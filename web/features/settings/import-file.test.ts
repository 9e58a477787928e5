import { expect, it } from 'vitest'
import { IMPORT_MAX_BYTES } from '#shared/limits.ts'
import { UserError } from '#web/lib/error-message.ts'
import { readImportFile } from './import-file.ts'
import { sampleExport } from './sample-export.test-data.ts'

const UNREADABLE = new UserError('This is not a data file of an export: it can not be read.')

it('is read, with or without the mark that some editors put in front', async () => {
  const text = JSON.stringify(sampleExport())
  for (const content of [text, `\ufeff${text}`]) {
    expect((await readImportFile(new Blob([content]))).prayers).toHaveLength(2)
  }
})

it.each([
  ['empty', ''],
  ['no JSON', 'Your data in Intercede'],
  ['cut off', JSON.stringify(sampleExport()).slice(0, -1)],
  ['no text', new Uint8Array([0x22, 0xff, 0x22])],
])('is refused when it is %s, without a word of what is in it', async (_what, content) => {
  await expect(readImportFile(new Blob([content]))).rejects.toThrow(UNREADABLE)
})

it('is refused unread when it is larger than can be sent', async () => {
  const large = new Blob([new Uint8Array(IMPORT_MAX_BYTES + 1)])
  await expect(readImportFile(large)).rejects.toThrow(new UserError('This file is larger than 16 MB.'))
})
