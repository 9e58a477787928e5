import { expectAccessible } from './fixtures/accessibility.ts'
import { enterKey, makeKey, sentBy, showKey, WORDS } from './fixtures/prayer-key.ts'
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
  await showKey(page)
  await expectAccessible(page)
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
  await page.getByLabel('Current password').fill(user.password)
  await page.getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByText('Whoever runs this server can read your prayers.')).toBeVisible()
  await user.followSessionOf(page)
  await expect.poll(async () => JSON.stringify(await user.storedRows())).toMatch(/Wanderlust.*Pemberley/)
  await other.page.reload()
  await other.page.getByRole('button', { name: 'Go on without encryption' }).click()
  await expect(other.page.getByRole('button', { name: 'Go on without encryption' })).toHaveCount(0)
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
  await page.getByRole('button', { name: 'Delete what cannot be read…' }).click()
  await page.getByLabel('Type DELETE to confirm').fill('DELETE')
  await page.getByLabel('Current password').fill(user.password)
  await page.getByRole('button', { name: 'Delete what cannot be read' }).click()
  await expect(dashboard.welcomeCard).toBeVisible()
})
