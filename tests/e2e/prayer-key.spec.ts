import { expectAccessible } from './fixtures/accessibility.ts'
import { enterKey, makeKey, sentBy, WORDS } from './fixtures/prayer-key.ts'
import { screensOf } from './screens/screens.ts'
import { expect, test } from './test.ts'

test('prayers are encrypted, read and changed on another device with the prayer key, and readable again when it is turned off', async ({
  page,
  context,
  browser,
  user,
  baseURL,
  dashboard,
}) => {
  await user.addCategory('Wanderlust', {
    name: 'Zebedee',
    note: 'Quince',
    updates: [{ body: 'Marigold', createdAt: '2026-01-01T00:00:00Z' }],
  })
  await dashboard.open()
  await expect(dashboard.card('Wanderlust').row('Zebedee').root).toBeVisible()
  const sent = sentBy(context)
  const key = await makeKey(page, user)
  await expect.poll(async () => JSON.stringify(await user.storedRows())).not.toMatch(WORDS)

  const otherContext = await browser.newContext(baseURL ? { baseURL } : {})
  const alsoSent = sentBy(otherContext)
  const other = screensOf(await otherContext.newPage())
  await other.authScreen.open()
  await other.authScreen.signIn(user.email, user.password)
  await expect(other.page.getByRole('heading', { name: 'Enter your prayer key' })).toBeVisible()
  await expectAccessible(other.page)
  await expect(other.page.getByText('Zebedee')).toHaveCount(0)
  await other.page.goto('/settings/prayer-key')
  await expect(other.page.getByText('Only devices that have your prayer key')).toBeVisible()
  await other.dashboard.open()
  await enterKey(
    other.page,
    key.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  )
  await expect(other.page.getByText('This is not the prayer key of your account.')).toBeVisible()
  await enterKey(other.page, key.toLowerCase().replaceAll(' ', '-'))
  await expect(other.dashboard.card('Wanderlust').row('Zebedee').root).toBeVisible()
  await other.dashboard.addPrayer('Wanderlust', 'Pemberley', 'Fandango')

  await dashboard.open()
  await expect(dashboard.card('Wanderlust').row('Pemberley').root).toBeVisible()
  expect(JSON.stringify(await user.storedRows()) + sent.join() + alsoSent.join()).not.toMatch(WORDS)

  await page.goto('/settings/prayer-key')
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByText('Whoever runs this server can read your prayers.')).toBeVisible()
  await expect.poll(async () => JSON.stringify(await user.storedRows())).toMatch(/Wanderlust.*Pemberley/)
  await other.page.reload()
  await other.page.getByRole('button', { name: 'Go on without it' }).click()
  await expect(other.page.getByRole('button', { name: 'Go on without it' })).toHaveCount(0)
  await expect(other.dashboard.card('Wanderlust').row('Pemberley').root).toBeVisible()
  await otherContext.close()
})

test('whoever has lost the prayer key deletes what cannot be read, and begins again', async ({
  page,
  user,
  dashboard,
  navigation,
  authScreen,
}) => {
  await user.addCategory('Wanderlust', { name: 'Zebedee' })
  await dashboard.open()
  await makeKey(page, user)
  await expect.poll(async () => JSON.stringify(await user.storedRows())).not.toMatch(WORDS)
  await navigation.signOut()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
  await authScreen.signIn(user.email, user.password)
  await page.getByRole('button', { name: 'I have lost my prayer key' }).click()
  await page.getByLabel('Type DELETE to confirm').fill('DELETE')
  await page.getByLabel('Current password').fill(user.password)
  await page.getByRole('button', { name: 'Delete what cannot be read' }).click()
  await expect(dashboard.welcomeCard).toBeVisible()
})

/** What a lying server returns instead of the rows of a table. */
const LIES: Readonly<
  Record<string, Readonly<Record<string, (rows: readonly FakeRow[]) => readonly FakeRow[]>>>
> = {
  'that the account has no key': {
    encryption_keys: () => [],
    sync_state: withFields(() => ({ key: 'none.0' })),
  },
  'that encryption was turned off': {
    encryption_keys: withFields(({ counter }) => ({ state: 'off', counter: Number(counter) + 1 })),
    sync_state: withFields(() => ({ key: 'none.9' })),
  },
  'an earlier state': { encryption_keys: withFields(() => ({ state: 'encrypting', counter: 1 })) },
  'a proof that nobody has made': {
    encryption_keys: withFields(({ proof }) => ({
      proof: String(proof).replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
    })),
  },
  'a key that nobody has': {
    encryption_keys: (rows) => [
      ...rows,
      ...rows.map((row) => ({ ...row, key_id: '0'.repeat(16), counter: 99 })),
    ],
    sync_state: withFields(() => ({ key: `${'0'.repeat(16)}.99` })),
  },
  'a state from before the key, after a restore': {
    encryption_keys: () => [],
    sync_state: withFields(({ epoch }) => ({
      key: 'none.0',
      epoch: '00000000-0000-4000-8000-000000000000',
      restores: [{ epoch, rev: 0 }],
    })),
  },
  'plain texts': { prayers: withFields(() => ({ person_name: 'Nobody', note: 'Nothing' })) },
}

type FakeRow = Readonly<Record<string, unknown>>

function withFields(change: (row: FakeRow) => FakeRow): (rows: readonly FakeRow[]) => readonly FakeRow[] {
  return (rows) => rows.map((row) => ({ ...row, ...change(row) }))
}

test('a server that lies gets nothing that was typed, and all of it sealed once it tells the truth', async ({
  page,
  context,
  user,
  dashboard,
  consoleWatch,
}) => {
  consoleWatch.announceRepeatedInserts()
  // Requests for a state that the server does not have.
  consoleWatch.announce(/^status 412: /, /^console\.error: .* status of 412 /)
  await user.addCategory('Wanderlust', { name: 'Zebedee', note: 'Quince' })
  await dashboard.open()
  await makeKey(page, user)
  await expect.poll(async () => JSON.stringify(await user.storedRows())).not.toMatch(WORDS)
  const sent = sentBy(context)
  await dashboard.open()
  for (const [index, [name, lies]] of Object.entries(LIES).entries())
    await test.step(name, async () => {
      let told = 0
      for (const [table, lie] of Object.entries(lies))
        await page.route(`**/rest/v1/${table}?*`, async (route) => {
          if (route.request().method() !== 'GET') return route.continue()
          const response = await route.fetch()
          told += 1
          return route.fulfill({ response, json: lie(await response.json()) })
        })
      await page.reload()
      const added = `Fandango ${String(index)}`
      await dashboard.addPrayer('Wanderlust', added, 'Pemberley')
      await page.reload()
      await expect(dashboard.card('Wanderlust').row(added).root).toBeVisible()
      await expect.poll(() => told).toBeGreaterThan(0)
      expect(sent.join()).not.toMatch(WORDS)
      await page.unrouteAll({ behavior: 'wait' })
      await page.reload()
      await expect.poll(async () => (await user.storedRows()).prayers).toHaveLength(index + 2)
      expect(JSON.stringify(await user.storedRows()) + sent.join()).not.toMatch(WORDS)
    })
  await expect(dashboard.card('Wanderlust').row('Zebedee').root).toContainText('Quince')
})
