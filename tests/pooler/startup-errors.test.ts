import { rm } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { makeFolder } from '#tests/support/data-folder.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { failToStart } from '#tests/support/intercede-process.ts'
import { startPgBouncer } from '#tests/support/pgbouncer.ts'

async function newDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  return database
}

/** Expects exit code 1, and one sentence that matches. */
async function expectFailedStart(env: Record<string, string>, sentence: RegExp): Promise<void> {
  const folder = await makeFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  expect(await failToStart({ DATA_DIR: folder, ...env })).toEqual({
    code: 1,
    sentence: expect.stringMatching(sentence),
  })
}

it('a server does not start, and says why, when DATABASE_URL alone leads to PgBouncer', async () => {
  const { env } = await newDatabase()
  await expectFailedStart(
    { DATABASE_URL: env.DATABASE_URL },
    /^DATABASE_URL leads to the database ".+" on 127\.0\.0\.1 port \d+, which can't be used: unsupported startup parameter: \w+\. For a connection pooler, set DATA_DATABASE_URL as well \(see docs\/hosting\.md\)\.\n$/,
  )
})

it('a server does not start, and says why, when PgBouncer keeps no transaction on one connection', async () => {
  const { url } = await newDatabase()
  const pooler = await startPgBouncer(url, 'statement')
  onTestFinished(() => pooler.close())
  await expectFailedStart(
    pooler.env,
    /^DATABASE_URL leads to the database ".+" on 127\.0\.0\.1 port \d+, which can't be used: .*statement pooling mode\. Its pool_mode has to be transaction or session\.\n$/,
  )
})
