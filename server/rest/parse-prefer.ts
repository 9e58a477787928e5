import { invalidPreferences } from './refusals.ts'

/** What the `Prefer` header asks for (RFC 7240). Null: nothing was said. */
export interface Preferences {
  resolution: 'merge-duplicates' | 'ignore-duplicates' | null
  missing: 'default' | 'null' | null
  return: 'representation' | 'minimal' | 'headers-only' | null
  count: 'exact' | 'planned' | 'estimated' | null
  handling: 'strict' | 'lenient' | null
}

const NO_PREFERENCES: Preferences = {
  resolution: null,
  missing: null,
  return: null,
  count: null,
  handling: null,
}

const KNOWN: ReadonlyMap<string, Partial<Preferences>> = new Map<string, Partial<Preferences>>([
  ['resolution=merge-duplicates', { resolution: 'merge-duplicates' }],
  ['resolution=ignore-duplicates', { resolution: 'ignore-duplicates' }],
  ['missing=default', { missing: 'default' }],
  ['missing=null', { missing: 'null' }],
  ['return=representation', { return: 'representation' }],
  ['return=minimal', { return: 'minimal' }],
  ['return=headers-only', { return: 'headers-only' }],
  ['count=exact', { count: 'exact' }],
  ['count=planned', { count: 'planned' }],
  ['count=estimated', { count: 'estimated' }],
  ['handling=strict', { handling: 'strict' }],
  ['handling=lenient', { handling: 'lenient' }],
  // Understood, and without effect: a request's transaction always ends in a commit.
  ['tx=commit', {}],
  ['tx=rollback', {}],
])

/**
 * Reads the `Prefer` header. The first of two that contradict each other counts.
 * With `handling=strict`, throws PGRST122 for what is not known.
 */
export function parsePrefer(header: string | undefined): Preferences {
  if (header === undefined || header === '') return NO_PREFERENCES
  const given = header.split(',').map((entry) => entry.trim())
  const preferences = { ...NO_PREFERENCES }
  // Backwards, so that the first one is written last.
  for (const entry of given.toReversed()) Object.assign(preferences, KNOWN.get(entry))
  if (preferences.handling === 'strict') {
    const unknown = given.filter((entry) => entry !== '' && !KNOWN.has(entry))
    if (unknown.length > 0) throw invalidPreferences(unknown)
  }
  return preferences
}

/** The `Preference-Applied` header for those of the preferences that had an effect; null for none. */
export function preferenceApplied(applied: Partial<Preferences>): string | null {
  const names = ['resolution', 'missing', 'return', 'count', 'handling'] as const
  const entries = names.flatMap((name) => {
    const value = applied[name] ?? null
    return value === null ? [] : [`${name}=${value}`]
  })
  return entries.length === 0 ? null : entries.join(', ')
}
