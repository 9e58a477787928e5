import { unavailableMediaType } from './refusals.ts'

/** How rows are sent: as a list, or one of them as an object; optionally without keys whose value is null. */
export interface AnswerFormat {
  shape: 'array' | 'object'
  withoutNulls: boolean
  contentType: string
}

const UTF8 = '; charset=utf-8'
const JSON_ARRAY: AnswerFormat = {
  shape: 'array',
  withoutNulls: false,
  contentType: `application/json${UTF8}`,
}
const OBJECT_TYPE = 'application/vnd.pgrst.object+json'
const ARRAY_TYPE = 'application/vnd.pgrst.array+json'
const STRIPPED = ';nulls=stripped'

const FORMATS: ReadonlyMap<string, AnswerFormat> = new Map<string, AnswerFormat>([
  ['*/*', JSON_ARRAY],
  ['application/*', JSON_ARRAY],
  ['application/json', JSON_ARRAY],
  [ARRAY_TYPE, JSON_ARRAY],
  ...[OBJECT_TYPE, 'application/vnd.pgrst.object'].flatMap((type): [string, AnswerFormat][] => [
    [type, { shape: 'object', withoutNulls: false, contentType: `${OBJECT_TYPE}${UTF8}` }],
    [
      `${type}${STRIPPED}`,
      { shape: 'object', withoutNulls: true, contentType: `${OBJECT_TYPE}${STRIPPED}${UTF8}` },
    ],
  ]),
  [
    `${ARRAY_TYPE}${STRIPPED}`,
    { shape: 'array', withoutNulls: true, contentType: `${ARRAY_TYPE}${STRIPPED}${UTF8}` },
  ],
])

/** Chooses by the `Accept` header, weights observed. Throws PGRST107 if nothing it names can be made. */
export function chooseFormat(accept: string | undefined): AnswerFormat {
  if (accept === undefined || accept === '') return JSON_ARRAY
  const only = FORMATS.get(accept)
  if (only !== undefined) return only
  const entries = accept.split(',').map(parseEntry)
  const acceptable = entries.filter((entry) => entry.weight > 0).toSorted((a, b) => b.weight - a.weight)
  for (const { type } of acceptable) {
    const format = FORMATS.get(type)
    if (format !== undefined) return format
  }
  throw unavailableMediaType(entries.map((entry) => entry.type).join(', '))
}

function parseEntry(entry: string): { type: string; weight: number } {
  const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const isStripped = parameters.includes('nulls=stripped')
  const parsed = weight === undefined ? 1 : Number(weight)
  return { type: isStripped ? `${type}${STRIPPED}` : type, weight: Number.isNaN(parsed) ? 0 : parsed }
}
