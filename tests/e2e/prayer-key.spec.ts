import type { BrowserContext, Page } from '@playwright/test'
import { expectAccessible } from './fixtures/accessibility.ts'
import type { User } from './fixtures/user.ts'
import { screensOf } from './screens/screens.ts'
import { expect, test } from './test.ts'

/** What is typed in these tests, and nowhere else in the app. */
const WORDS = /Wanderlust|Zebedee|Quince|Marigold|Pemberley|Fandango/

/** All that the pages of a context send to the server. */
function sentBy(context: BrowserContext): string[] {
  const sent: string[] = []
  context.on('request', (request) =>
    sent.push(decodeURIComponent(request.url()) + (request.postData() ?? '')),
  )
  return sent
}

/** Makes a prayer key on a page of a user who has none. Resolves to it. */
async function makeKey(page: Page, { password }: User, button = 'Make a prayer key'): Promise<string> {
  await page.goto('/settings/prayer-key')
  await page.getByRole('button', { name: button }).click()
  const key = await page.getByRole('region', { name: 'Prayer key' }).locator('code').innerText()
  expect(key).toMatch(/^(?:[0-9A-Z]{4} ){5}[0-9A-Z]{4}$/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'I have written it down' }).click()
  const groups = key.split(' ')
  await page.getByLabel('Second group').fill('0000')
  await page.getByLabel('Fifth group').fill(groups[4]?.toLowerCase() ?? '')
  await page.getByLabel('Current password').fill(password)
  await page.getByRole('button', { name: 'Encrypt my prayers' }).click()
  await expect(page.getByText('This is not what you were shown')).toBeVisible()
  await page.getByLabel('Second group').fill(groups[1] ?? '')
  await page.getByRole('button', { name: 'Encrypt my prayers' }).click()
  await expect(page.getByText('Only devices that have your prayer key')).toBeVisible()
  return key
}

async function enterKey(page: Page, key: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Prayer key' }).fill(key)
  await page.getByRole('button', { name: 'Continue' }).click()
}

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
