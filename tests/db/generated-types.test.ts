import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { renderDatabaseTypes } from '#scripts/database-types.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

it('commits the types of the migrated database (npm run generate-types writes them)', async () => {
  const committed = await readFile(join(PACKAGE_ROOT, 'shared', 'database.types.ts'), 'utf8')
  expect(committed).toBe(await renderDatabaseTypes(database.pool))
})

it('rejects a column type that has no counterpart in TypeScript', async () => {
  await database.pool.query('create table public.places (spot point)')
  await expect(renderDatabaseTypes(database.pool)).rejects.toThrow('There is no TypeScript type for point')
})
