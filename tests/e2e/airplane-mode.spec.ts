import type { Page } from '@playwright/test'
import { reloadWithDialog } from './fixtures/closed-dialogs.ts'
import { Device } from './fixtures/device.ts'
import { openWithWorker } from './fixtures/service-worker.ts'
import { textOnDevice } from './fixtures/text-on-device.ts'
import type { User } from './fixtures/user.ts'
import { type Screens, screensOf } from './screens/screens.ts'
import { expect, test as base } from './test.ts'

interface Fixtures {
  /** A browser that a test can close, kill and open again. */
  device: Device
}

const test = base.extend<Fixtures>({
  device: async ({ playwright, server }, use) => {
    const device = await Device.create(playwright.chromium, server.url)
    await use(device)
    await device.discard()
    expect(device.unexpected, 'there are no unexpected messages').toEqual([])
  },
})

test.use({ withServiceWorker: true })
test.beforeEach(({ consoleWatch }) => consoleWatch.announceFailingServer())

const unreachableNotice = (page: Page) => page.getByRole('main').getByText('No connection.')

test('changes without a connection outlive the browser, and reach the server once and in order', async ({
  device,
  server,
  newUser,
}) => {
  const user = await newUser()
  await user.addCategory('Famly', { name: 'Anna' }, { name: 'Ben' }, { name: 'Clara' })
  await user.addCategories('Friends', 'Church', 'Colleagues', 'School')
  const before = await user.revision()

  await test.step('the first visit, online', async () => {
    const { page, authScreen, dashboard } = screensOf(await device.open())
    await openWithWorker(page)
    await authScreen.signIn(user.email, user.password)
    await expect(dashboard.card('Famly').rows).toHaveText([/Anna/, /Ben/, /Clara/])
    // They show before they are stored.
    await expect.poll(() => textOnDevice(page)).toContain('Clara')
    await device.close()
    await server.stop()
  })
  await test.step('the browser opens with everything, and prayers are changed', async () => {
    const { dashboard } = screensOf(await device.open())
    const { prayerDialog, confirmDialog } = dashboard
    await dashboard.open()
    const family = dashboard.card('Famly')
    await expect(family.rows).toHaveText([/Anna/, /Ben/, /Clara/])
    await family.row('Ben').resolve.click()
    await family.row('Clara').remove.click()
    await confirmDialog.confirm.click()
    await family.row('Anna').edit.click()
    await prayerDialog.name.fill('Anna Maria')
    await prayerDialog.updateButton.click()
    await expect(prayerDialog.root).toBeHidden()
    await dashboard.addPrayer('Friends', 'Dan', 'A calm exam week')
    // From now on, the prayer is kept, and so is what was changed before.
    await expect(prayerDialog.root).toBeHidden()
    await device.kill()
  })
  await test.step('the changes are there after a crash, and categories are changed', async () => {
    const { dashboard, categories } = screensOf(await device.open())
    await dashboard.open()
    await expect(dashboard.card('Famly').rows).toHaveText([/Anna Maria/])
    await dashboard.card('Friends').row('Dan').edit.click()
    await dashboard.prayerDialog.details.fill('Good results')
    await dashboard.prayerDialog.updateButton.click()
    await expect(dashboard.prayerDialog.root).toBeHidden()
    await dashboard.manageCategories.click()
    await categories.row('Famly').edit.click()
    await categories.nameInput.fill('Family')
    await categories.nameInput.press('Enter')
    await categories.lift('Church')
    await categories.move('ArrowUp', '2 of 5')
    await categories.drop()
    await categories.row('Colleagues').remove.click()
    await categories.confirmDialog.confirm.click()
    await categories.row('School').hide.click()
    await expect(categories.row('School').show).toBeVisible()
    await expect(categories.banner).toHaveCount(0)
    await categories.add('Neighbours')
    // From now on, what was changed before is kept as well.
    await expect(categories.dialog.root).toBeHidden()
    await device.kill()
  })
  await test.step('they are there after another crash and in a new tab, and sent without a click', async () => {
    const first = screensOf(await device.open())
    await first.dashboard.open()
    await expectChanges(first.dashboard)
    const second = screensOf(await first.page.context().newPage())
    await second.dashboard.open()
    await expectChanges(second.dashboard)
    await expect(unreachableNotice(second.page)).toBeVisible()
    expect(device.accepted).toEqual([])

    await server.start()
    // Otherwise, it may take a minute until the next attempt.
    for (const { page } of [first, second]) await page.evaluate(() => dispatchEvent(new Event('online')))
    await expect.poll(() => user.revision()).toBe(before + 10)
    expect(await user.prayers()).toEqual([
      { person_name: 'Dan', note: 'Good results', resolved: false },
      { person_name: 'Anna Maria', note: null, resolved: false },
      { person_name: 'Ben', note: null, resolved: true },
    ])
    expect(await user.categoryNames()).toEqual(['Family', 'Church', 'Friends', 'School', 'Neighbours'])
    for (const { page, navigation, dashboard } of [first, second]) {
      await page.bringToFront()
      await expect(unreachableNotice(page)).toHaveCount(0)
      await expect(navigation.menuButton).not.toHaveAccessibleName(/waiting/)
      await expectChanges(dashboard)
    }
    await expect
      .poll(() => device.accepted)
      .toEqual([
        'PATCH prayers',
        'DELETE prayers',
        'PATCH prayers',
        'POST prayers',
        'PATCH prayers',
        'PATCH categories',
        'POST rpc/reorder_categories',
        'DELETE categories',
        'PATCH categories',
        'POST categories',
      ])
    expect(await user.revision(), 'nothing was sent twice').toBe(before + 10)
  })
})

async function expectChanges(dashboard: Screens['dashboard']): Promise<void> {
  await expect(dashboard.cards.getByRole('heading')).toHaveText(['Family', 'Church', 'Friends', 'Neighbours'])
  await expect(dashboard.card('Family').rows).toHaveText([/Anna Maria/])
  await expect(dashboard.card('Friends').rows).toHaveText([/Dan/])
  await expect(dashboard.card('Friends').rows).toContainText('Good results')
}

test('two tabs that come online together send each change once', async ({ page, context, server, user }) => {
  await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' }, { name: 'Clara' })
  const before = await user.revision()
  await openWithWorker(page, '/dashboard')
  const tabs = [screensOf(page), screensOf(await context.newPage())] as const
  const [first, second] = tabs
  await second.dashboard.open()
  for (const { dashboard } of tabs)
    await expect(dashboard.card('Family').rows).toHaveText([/Anna/, /Ben/, /Clara/])
  await server.stop()

  const familyOf = ({ dashboard }: typeof first) => dashboard.card('Family')
  await first.page.bringToFront()
  await first.dashboard.addPrayer('Family', 'Dan')
  await expect(first.dashboard.prayerDialog.root).toBeHidden()
  await familyOf(first).row('Anna').resolve.click()
  await expect(familyOf(first).rows).toHaveText([/Dan/, /Ben/, /Clara/])
  await second.page.bringToFront()
  await expect(familyOf(second).rows).toHaveText([/Dan/, /Ben/, /Clara/])
  await second.dashboard.addPrayer('Family', 'Eva')
  await expect(second.dashboard.prayerDialog.root).toBeHidden()
  await familyOf(second).row('Ben').edit.click()
  await second.dashboard.prayerDialog.details.fill('A new job')
  await second.dashboard.prayerDialog.updateButton.click()
  await expect(second.dashboard.prayerDialog.root).toBeHidden()
  await familyOf(second).row('Clara').remove.click()
  await second.dashboard.confirmDialog.confirm.click()
  await expect(familyOf(second).rows).toHaveText([/Eva/, /Dan/, /Ben/])

  await server.start()
  await Promise.all(tabs.map((tab) => tab.page.evaluate(() => dispatchEvent(new Event('online')))))
  for (const { page: tab, navigation, dashboard } of tabs) {
    await tab.bringToFront()
    await expect(unreachableNotice(tab)).toHaveCount(0)
    await expect(navigation.menuButton).not.toHaveAccessibleName(/waiting/)
    await expect(navigation.couldNotBeSaved).toHaveCount(0)
    await expect(dashboard.card('Family').rows).toHaveText([/Eva/, /Dan/, /Ben.*A new job/])
  }
  expect(await user.prayers()).toEqual([
    { person_name: 'Eva', note: null, resolved: false },
    { person_name: 'Dan', note: null, resolved: false },
    { person_name: 'Anna', note: null, resolved: true },
    { person_name: 'Ben', note: 'A new job', resolved: false },
  ])
  expect(await user.revision(), 'nothing was sent twice').toBe(before + 5)
})

test('signing out leaves nothing of the user on the device, without a connection not even what was never sent', async ({
  page,
  context,
  server,
  newUser,
}) => {
  const user = await newUser()
  await user.addCategory('Bible circle', { name: 'Annegret', note: 'A calm exam week' })
  const { authScreen, dashboard, navigation } = screensOf(page)
  const card = dashboard.card('Bible circle')
  await openWithWorker(page)
  await authScreen.signIn(user.email, user.password)
  await dashboard.addPrayer('Bible circle', 'Benedikt', 'A new job')
  await expect(card.rows).toHaveText([/Benedikt/, /Annegret/])
  await card.addPrayer.click()
  await dashboard.prayerDialog.name.fill('Clarissa')
  await reloadWithDialog(page)
  await expect(card.rows).toHaveText([/Benedikt/, /Annegret/])
  expect(await tracesOf(user, page), 'the test finds what is stored').toEqual(PRIVATE)
  await navigation.signOut()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await expect.poll(() => tracesOf(user, page)).toEqual([])
  await page.reload()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  expect(await tracesOf(user, page)).toEqual([])

  await authScreen.signIn(user.email, user.password)
  await expect(card.rows).toHaveText([/Benedikt/, /Annegret/])
  const other = screensOf(await context.newPage())
  await other.dashboard.open()
  await other.dashboard.card('Bible circle').addPrayer.click()
  await other.dashboard.prayerDialog.name.fill('Clarissa')
  await server.stop()
  await page.bringToFront()
  await dashboard.addPrayer('Bible circle', NEVER_SENT)
  await expect(card.rows).toHaveText([/Dorothea/, /Benedikt/, /Annegret/])
  const question = page.getByRole('alertdialog', { name: 'Sign out' })
  await navigation.signOut()
  await expect(question).toContainText('One change has not been saved on the server yet')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(card.rows).toHaveText([/Dorothea/, /Benedikt/, /Annegret/])
  await navigation.signOut()
  await question.getByRole('button', { name: 'Sign out' }).click()
  for (const tab of [{ page, authScreen }, other]) {
    await expect(tab.authScreen.heading('Welcome back')).toBeVisible()
    await expect.poll(() => tracesOf(user, tab.page)).toEqual([])
  }
})

/** Words of the user that occur nowhere in the app itself. */
const TEXTS = ['Bible circle', 'Annegret', 'A calm exam week', 'Benedikt', 'A new job', 'Clarissa']
const NEVER_SENT = 'Dorothea'
const PRIVATE = ['the id', 'the email address', ...TEXTS]

/** What the browser has stored of what is private. */
async function tracesOf({ id, email }: User, page: Page): Promise<string[]> {
  const stored = await textOnDevice(page)
  const secrets = {
    'the id': id,
    'the email address': email,
    ...Object.fromEntries([...TEXTS, NEVER_SENT].map((text) => [text, text])),
  }
  return Object.entries(secrets).flatMap(([name, secret]) => (stored.includes(secret) ? [name] : []))
}
