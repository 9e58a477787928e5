import { fieldsOf, isRecord } from '#shared/fields.ts'
import { CATEGORY_NAME_MAX_LENGTH, NOTE_MAX_LENGTH, PERSON_NAME_MAX_LENGTH } from '#shared/limits.ts'
import { UserError } from '#web/lib/error-message.ts'
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type ExportedCategory,
  type ExportedPrayer,
  type ExportFile,
} from './export-file.ts'
import { FieldReader } from './read-fields.ts'

/**
 * Reads the content of an exported file. Fields that this version does not know are left out.
 * Throws a `UserError` for the first thing that is not as docs/export-format.md has it.
 */
export function readExport(content: unknown): ExportFile {
  if (!isRecord(content) || content['format'] !== EXPORT_FORMAT)
    throw new UserError('This is not a data file of an export.')
  if (content['version'] !== EXPORT_VERSION)
    throw new UserError('This data file has a version that is not known here. It may be from a newer export.')
  const categories = listOf(content, 'categories').map(readCategory)
  const prayers = listOf(content, 'prayers').map(readPrayer)
  refuseTwice(categories, 'Category')
  refuseTwice(prayers, 'Prayer')
  const known = new Set(categories.map(({ id }) => id))
  const stray = prayers.findIndex((prayer) => !known.has(prayer.category_id))
  if (stray >= 0) throw new UserError(`Prayer ${stray + 1}: its category is not in the file.`)
  return {
    exported_at: new FieldReader(content, 'The file').time('exported_at'),
    account: fieldsOf(content['account']),
    categories,
    prayers,
  }
}

function readCategory(value: unknown, index: number): ExportedCategory {
  const fields = new FieldReader(value, `Category ${index + 1}`)
  return {
    id: fields.id('id'),
    name: fields.name('name', CATEGORY_NAME_MAX_LENGTH),
    order: fields.position('order'),
    is_visible: fields.flag('is_visible'),
    created_at: fields.time('created_at'),
    updated_at: fields.time('updated_at'),
  }
}

function readPrayer(value: unknown, index: number): ExportedPrayer {
  const fields = new FieldReader(value, `Prayer ${index + 1}`)
  return {
    id: fields.id('id'),
    category_id: fields.id('category_id'),
    person_name: fields.name('person_name', PERSON_NAME_MAX_LENGTH),
    note: fields.optionalText('note', NOTE_MAX_LENGTH),
    resolved: fields.flag('resolved'),
    created_at: fields.time('created_at'),
  }
}

function listOf(content: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
  const list = content[name]
  if (!Array.isArray(list)) throw new UserError(`The file has no list of ${name}.`)
  return list
}

function refuseTwice(entries: readonly { id: string }[], entry: string): void {
  const seen = new Set<string>()
  for (const [index, { id }] of entries.entries()) {
    if (seen.has(id)) throw new UserError(`${entry} ${index + 1}: its id is in the file twice.`)
    seen.add(id)
  }
}
