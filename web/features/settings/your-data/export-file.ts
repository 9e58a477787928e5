import {
  array,
  type BaseIssue,
  check,
  custom,
  fallback,
  getDotPath,
  type GenericSchema,
  type InferOutput,
  is,
  literal,
  nonEmpty,
  nullable,
  nullish,
  number,
  object,
  omit,
  optional,
  picklist,
  pipe,
  safeParse,
  string,
  transform,
} from 'valibot'
import { isRecord } from '#shared/is-record.ts'
import {
  CATEGORY_NAME_MAX_LENGTH,
  FIRST_DAY,
  IMPORT_MAX_BYTES,
  LAST_DAY,
  NOTE_MAX_LENGTH,
  PERSON_NAME_MAX_LENGTH,
} from '#shared/limits.ts'
import type { ExportedCategory, ExportedPrayer } from '#web/data/account-data.ts'
import { CATEGORIES, categorySchema } from '#web/data/categories.ts'
import { prayerUpdateSchema } from '#web/data/prayer-updates.ts'
import { PRAYERS, prayerSchema } from '#web/data/prayers.ts'
import { type Day, EVERY_DAY, isDay } from '#web/lib/days/days.ts'
import { UserError } from '#web/lib/error-message.ts'

const MEGABYTE = 1024 * 1024
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const TIMESTAMP =
  /^(?<day>(?!0000)\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/
/** Half a surrogate pair, and the one character that PostgreSQL can't store. */
const NOT_STORABLE = /[\p{Surrogate}\0]/u
const MAX_INTEGER = 2_147_483_647

const id = pipe(
  string('is not an id'),
  check((value) => UUID.test(value), 'is not an id'),
  transform((value) => value.toLowerCase()),
)
const time = pipe(
  string('is not a date with a time'),
  check((value) => isTimestamp(value), 'is not a date with a time'),
  transform((value) => (Date.parse(value) < Date.parse(FIRST_DAY) ? `${FIRST_DAY}T00:00:00Z` : value)),
)
const date = pipe(
  string('is not a date'),
  check((value) => isDay(value), 'is not a date'),
  transform(withinLimits),
)

function wholeNumber(min: number, max: number) {
  const message =
    max === MAX_INTEGER
      ? `is not a whole number of at least ${min}`
      : `is not a whole number from ${min} to ${max}`
  return pipe(
    number(message),
    check((value) => Number.isInteger(value) && value >= min && value <= max, message),
  )
}

/** The bits of days of the week. Older files do not have them. */
const prayDays = nullish(wholeNumber(1, EVERY_DAY), null)

function text(maxLength: number) {
  return pipe(
    string('is not text'),
    check(
      (value) => value.length <= maxLength || lengthInDatabase(value) <= maxLength,
      `is longer than ${maxLength.toLocaleString('en')} characters`,
    ),
    check((value) => !NOT_STORABLE.test(value), 'contains a character that cannot be stored'),
  )
}

function name(maxLength: number) {
  return pipe(
    text(maxLength),
    transform((value) => value.trim()),
    nonEmpty('is empty'),
  )
}

const updates = object(
  {
    ...omit(prayerUpdateSchema, ['user_id', 'rev', 'prayer_id']).entries,
    id,
    body: pipe(
      text(NOTE_MAX_LENGTH),
      check((value) => value.trim() !== '', 'is empty'),
    ),
    created_at: time,
    updated_at: time,
    answered_on: optional(nullable(date), null),
  },
  'is missing',
) satisfies GenericSchema<unknown, ExportedPrayer['updates'][number]>

/**
 * The rows of an export: the columns of the tables, here with what an import checks besides their types. Other fields are
 * ignored.
 */
export const EXPORTED_ROWS = {
  categories: object(
    {
      ...omit(categorySchema, ['user_id', 'rev']).entries,
      id,
      name: name(CATEGORY_NAME_MAX_LENGTH),
      order: wholeNumber(1, MAX_INTEGER),
      created_at: time,
      updated_at: time,
      pray_days: prayDays,
    },
    'is missing',
  ) satisfies GenericSchema<unknown, ExportedCategory>,
  prayers: object(
    {
      ...omit(prayerSchema, ['user_id', 'rev', 'written_rev', 'last_prayed_on', 'times_prayed']).entries,
      id,
      category_id: id,
      person_name: name(PERSON_NAME_MAX_LENGTH),
      note: nullable(text(NOTE_MAX_LENGTH)),
      created_at: time,
      // Version 1 does not have these, and version 2 no `due_repeats`.
      due_on: nullish(date, null),
      due_repeats: nullish(picklist(['monthly', 'yearly'], 'is neither “monthly” nor “yearly”'), null),
      pray_days: prayDays,
      resting_until: nullish(date, null),
      answered_on: nullish(date, null),
      answer: nullish(text(NOTE_MAX_LENGTH), null),
      note_changed_at: nullish(time, null),
      updates: optional(array(updates, 'is not a list of updates'), []),
      prayed_days: optional(array(date, 'is not a list of dates'), []),
    },
    'is missing',
  ) satisfies GenericSchema<unknown, ExportedPrayer>,
  updates,
}

const record = custom<Readonly<Record<string, unknown>>>(isRecord)

const exportContent = object(
  {
    categories: array(pipe(record, EXPORTED_ROWS.categories)),
    prayers: array(pipe(record, EXPORTED_ROWS.prayers)),
    exported_at: time,
    /** Only shown to the user, never imported. */
    account: fallback(record, {}),
  },
  'is missing',
)

/** The content of an export, as described in docs/export-format.md. */
export type ExportFile = InferOutput<typeof exportContent>

/** Reads a file that the user has chosen. Rejects with a `UserError` if it is not a valid export. */
export async function readExportFile(file: Blob): Promise<ExportFile> {
  if (file.size > IMPORT_MAX_BYTES) {
    throw new UserError(`This file is larger than ${IMPORT_MAX_BYTES / MEGABYTE} MB.`)
  }
  return readExport(parseJson(await file.arrayBuffer()))
}

function parseJson(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    // The parser's own message would quote the file.
    throw new UserError('This is not an exported data file: it cannot be read.', { cause })
  }
}

/** Validates the content of an export. Throws a `UserError` for the first error; it never quotes a value. */
export function readExport(content: unknown): ExportFile {
  if (!is(object({ format: literal('intercede-export') }), content)) {
    throw new UserError('This is not an exported data file.')
  }
  if (!is(object({ version: picklist([1, 2, 3]) }), content)) {
    throw new UserError(
      'This data file has an unknown version. It may have been exported by a newer release.',
    )
  }
  const result = safeParse(exportContent, content, { abortEarly: true, message: typeMessage })
  if (!result.success) {
    const [issue] = result.issues
    throw new UserError(issueMessage((getDotPath(issue) ?? '').split('.'), issue.message))
  }
  rejectDuplicates(result.output.categories, 'categories')
  rejectDuplicates(result.output.prayers, 'prayers')
  rejectUnknownCategories(result.output)
  return result.output
}

/** For columns without a check of their own. */
function typeMessage({ expected }: BaseIssue<unknown>): string {
  if (expected === 'boolean') return 'is neither true nor false'
  return expected === 'string' ? 'is not text' : 'is not a valid value'
}

const ROW_NAMES = new Map<string, string>(
  [CATEGORIES, PRAYERS].map(({ name: part, rowName }) => [part, rowName]),
)

/** Names the place of an error in the user's terms, for example `Prayer 3: “note” is not text.` */
function issueMessage([part = '', index, field]: readonly string[], message: string): string {
  const rowName = ROW_NAMES.get(part)
  if (rowName === undefined) return `The file: “${part}” ${message}.`
  if (index === undefined) return `The file has no list of ${part}.`
  const row = `${rowName} ${Number(index) + 1}`
  return field === undefined
    ? `${row} does not have the format of an export.`
    : `${row}: “${field}” ${message}.`
}

function rejectDuplicates(rows: readonly { id: string }[], part: string): void {
  const seen = new Set<string>()
  for (const [index, row] of rows.entries()) {
    if (seen.has(row.id)) {
      throw new UserError(`${ROW_NAMES.get(part) ?? part} ${index + 1}: its id occurs in the file twice.`)
    }
    seen.add(row.id)
  }
}

function rejectUnknownCategories({ categories, prayers }: ExportFile): void {
  const ids = new Set(categories.map((category) => category.id))
  const index = prayers.findIndex((prayer) => !ids.has(prayer.category_id))
  if (index >= 0) throw new UserError(`Prayer ${index + 1}: its category is not in the file.`)
}

/** The database counts code points, after trimming. */
function lengthInDatabase(value: string): number {
  return Array.from(value.trim()).length
}

function isTimestamp(value: string): boolean {
  const day = TIMESTAMP.exec(value)?.groups?.['day']
  return day !== undefined && isDay(day)
}

/** Older versions have exported days that are no longer accepted. The import moves them to the nearest limit. */
function withinLimits(day: Day): Day {
  if (day < FIRST_DAY) return FIRST_DAY
  return day > LAST_DAY ? LAST_DAY : day
}
