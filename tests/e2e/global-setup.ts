import { createTemplate, dropTemplate, openTestPostgres } from '#tests/support/postgres.ts'
import { TEMPLATE } from './fixtures/server-storage.ts'

/** One PostgreSQL for the servers of all tests, and a migrated database that theirs are copies of. */
export default async function openPostgres(): Promise<() => Promise<void>> {
  const postgres = await openTestPostgres()
  const template = await createTemplate(postgres.url)
  process.env['TEST_DATABASE_URL'] = postgres.url
  process.env[TEMPLATE] = template
  return async () => {
    await dropTemplate(postgres.url, template)
    await postgres.close()
  }
}
