import { join } from 'node:path'
import { expect, it } from 'vitest'
import { APP_FOLDER, AUTH_FOLDER } from '#server/db/migrations/migrate.ts'
import { readMigrations } from '#server/db/migrations/migration-history.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'

// A migration that is added now would come before it, and the Supabase CLI would refuse to apply it.
it.each([AUTH_FOLDER, APP_FOLDER])('%s names no migration by a time in the future', async (folder) => {
  const now = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const migrations = await readMigrations(join(PACKAGE_ROOT, folder))
  expect(migrations.length).toBeGreaterThan(0)
  expect(migrations.filter(({ version }) => version > now).map(({ fileName }) => fileName)).toEqual([])
})
