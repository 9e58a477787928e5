import type { User } from '@supabase/auth-js'
import type { Category } from '#web/data/categories.ts'
import type { Marked } from '#web/data/encryption-status.ts'
import type { ExportData } from '#web/data/export-data.ts'
import type { PrayerUpdate } from '#web/data/prayer-updates.ts'
import type { Prayer } from '#web/data/prayers.ts'

/** What a file lacks that was saved without the server. */
const MISSING = [
  'prayers[].prayed_days',
  'account.identities',
  'account.factors',
  'account.sessions',
  'account.reminders',
  'account.push_subscriptions',
  'account.encryption_keys',
]

/** The content of a data file (docs/export-format.md). */
export type DataFile = ReturnType<typeof createExport>

/** @param user as this device knows them */
export function createExport(
  { categories, prayers, updates, supplement }: ExportData,
  user: User,
  now: Date,
) {
  const updatesOf = groupByPrayer(updates)
  return {
    format: 'intercede-export',
    version: 3,
    exported_at: now.toISOString(),
    ...(supplement === null && { missing: MISSING }),
    account: supplement === null ? accountOf(user) : supplement.account,
    categories: categories.map(
      ({ user_id: _owner, rev: _rev, plain: _plain, ...category }: Category & Marked) => category,
    ),
    prayers: prayers.map(
      ({ user_id: _owner, rev: _rev, plain: _plain, written_rev: _written, ...prayer }: Prayer & Marked) => ({
        ...prayer,
        updates: updatesOf.get(prayer.id) ?? [],
        ...(supplement && { prayed_days: supplement.prayed_days[prayer.id] ?? [] }),
      }),
    ),
  }
}

type ExportedUpdate = Omit<PrayerUpdate, 'user_id' | 'rev' | 'prayer_id'>

function groupByPrayer(updates: readonly (PrayerUpdate & Marked)[]): ReadonlyMap<string, ExportedUpdate[]> {
  const groups = new Map<string, ExportedUpdate[]>()
  for (const { user_id: _owner, rev: _rev, plain: _plain, prayer_id, ...update } of updates) {
    const group = groups.get(prayer_id)
    if (group) group.push(update)
    else groups.set(prayer_id, [update])
  }
  return groups
}

function accountOf(user: User) {
  const { id, email, phone, created_at, updated_at, last_sign_in_at, app_metadata, user_metadata } = user
  return { id, email, phone, created_at, updated_at, last_sign_in_at, app_metadata, user_metadata }
}
