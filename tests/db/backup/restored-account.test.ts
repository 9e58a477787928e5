import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { restore } from '#server/backup/restore.ts'
import { backUp } from '#server/backup/write-backup.ts'
import { runAs } from '#server/db/request-scope.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { createAccounts } from '#tests/db/accounts.ts'
import { createEmptyDatabase, type TestDatabase } from '#tests/support/database.ts'
import { asAnna } from '#tests/support/users.ts'

const source = createAccounts()

const PRAY = (day: string) =>
  `select public.mark_prayed(array(select id from public.prayers where person_name = 'Ruth'), '${day}')`

const FILL = [
  `insert into public.categories (name, "order") values ('Family', 1)`,
  `insert into public.prayers (category_id, person_name) select id, 'Boaz' from public.categories`,
  `insert into public.prayers (category_id, person_name) select id, 'Ruth' from public.categories`,
  `insert into public.prayer_updates (prayer_id, body) select id, 'Better today' from public.prayers`,
  `update public.prayers set resolved = true, answer = 'He came', answered_on = '2026-02-03' where person_name = 'Boaz'`,
  PRAY('2026-02-01'),
  PRAY('2026-02-02'),
]

interface Account {
  prayers: { person_name: string; rev: number }[]
}

/** What Anna can export, and the numbers of her changes. */
async function readAccount({ dataPool }: TestDatabase) {
  const { rows } = await runAs<{
    export: Account
    rev: number
    epoch: string
    restores: unknown
    revs: number[]
  }>(dataPool, asAnna, {
    text: `select public.export_account() as export, s.rev::float8 as rev, s.epoch, s.restores,
                  array(select p.rev::float8 from public.prayers p order by p.person_name) as revs
           from public.sync_state s`,
    values: [],
  })
  const [account] = rows
  if (account === undefined) throw new Error('Anna has no synchronisation state.')
  return account
}

it('a restored account has its answers, updates and prayed days, in a new epoch, and can be prayed for again', async () => {
  for (const text of FILL) await source.run(asAnna, text)
  const folder = await mkdtemp(join(tmpdir(), 'intercede-restored-'))
  const target = await createEmptyDatabase()
  onTestFinished(async () => {
    await target.drop()
    await rm(folder, { recursive: true })
  })
  const file = join(folder, 'backup.sql.gz')
  const { signal } = new AbortController()
  await backUp({ url: source.database.url, file, now: new Date('2026-03-01T09:00:00.000Z'), signal })
  const location = { databaseUrl: target.url, dataDir: folder }
  await restore({ location, file, packageRoot: PACKAGE_ROOT, signal })
  const before = await readAccount(source.database)
  const restored = await readAccount(target)
  expect(before.export.prayers).toMatchObject([
    { person_name: 'Ruth', prayed_days: ['2026-02-01', '2026-02-02'], updates: [{ body: 'Better today' }] },
    {
      person_name: 'Boaz',
      answer: 'He came',
      answered_on: '2026-02-03',
      updates: [{ body: 'Better today' }],
    },
  ])
  expect(restored.export.prayers).toEqual(before.export.prayers)
  expect(restored.revs).toEqual(before.revs)
  expect(restored.rev).toBeGreaterThan(before.rev + 1_000_000_000)
  expect(restored.epoch).not.toBe(before.epoch)
  expect(restored.restores).toEqual([{ epoch: before.epoch, rev: before.rev }])

  // A day that was prayed before the backup is not counted again.
  for (const day of ['2026-02-02', '2026-02-20'])
    await runAs(target.dataPool, asAnna, { text: PRAY(day), values: [] })
  const after = await readAccount(target)
  expect(after.export.prayers.find((prayer) => prayer.person_name === 'Ruth')).toMatchObject({
    prayed_days: ['2026-02-01', '2026-02-02', '2026-02-20'],
    times_prayed: 3,
    last_prayed_on: '2026-02-20',
  })
  const [, revOfRuth] = after.revs
  expect(revOfRuth).toBeGreaterThan(restored.rev)
  expect(revOfRuth).toBe(after.rev)
})
