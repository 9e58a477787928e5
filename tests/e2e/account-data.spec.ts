import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { AuthScreen } from './screens/auth-screen.ts'
import { DashboardScreen } from './screens/dashboard-screen.ts'
import { expect, test } from './test.ts'

const FLASH_MESSAGE = 'Your account has been deleted, with everything in it. Go in peace.'

test('opens from the account menu, with the focus on its heading', async ({
  page,
  user,
  dashboard,
  navigation,
  accountData,
}) => {
  await user.addCategory('Family')
  await dashboard.open()
  await navigation.menuButton.click()
  await expect(navigation.accountDataItem).toContainText('Export, import, delete my account')
  await navigation.accountDataItem.click()
  await expect(page).toHaveURL('/account')
  await expect(page).toHaveTitle('Your data · Intercede')
  await expect(accountData.title).toBeFocused()
  await expect(navigation.menu).toBeHidden()
})

test.describe('the export', { tag: '@every-width' }, () => {
  test('contains everything the server has stored at that moment', async ({ user, accountData }) => {
    await accountData.open()
    await expect(accountData.title).toBeVisible()
    const family = await user.addCategory(
      'Family',
      { name: 'Anna', note: 'Peace' },
      { name: 'Ben', resolved: true },
    )
    await user.hideCategory(family)
    const { name, text } = await accountData.saved(accountData.saveDataFile)
    expect(name).toMatch(/^intercede-\d{4}-\d\d-\d\d\.json$/)
    expect(JSON.parse(text)).toMatchObject({
      format: 'intercede-export',
      version: 2,
      account: {
        id: user.id,
        email: user.email,
        identities: [{ provider: 'email' }],
        sessions: [{ signed_in_by: ['password'] }],
      },
      categories: [{ id: family, name: 'Family', order: 1, is_visible: false }],
      prayers: [
        { category_id: family, person_name: 'Anna', note: 'Peace', resolved: false },
        { category_id: family, person_name: 'Ben', note: null, resolved: true },
      ],
    })
    expect(text).not.toContain(user.password)
    expect(text).not.toContain('encrypted_password')
  })

  test('is also available as text', async ({ user, accountData }) => {
    await user.addCategory('Family', { name: 'Anna', note: 'Peace' }, { name: 'Ben', resolved: true })
    await accountData.open()
    const { name, text } = await accountData.saved(accountData.saveAsText)
    expect(name).toMatch(/^intercede-\d{4}-\d\d-\d\d\.txt$/)
    expect(text).toMatch(/^Your prayers in Intercede\n=+\nExported on /)
    expect(text).toMatch(
      /Family\n------\n[^]*Open \(1\)\n\n {2}Anna · [^]*\n {4}Peace\n[^]*Resolved \(1\)\n\n {2}Ben · /,
    )
    expect(text, 'ids and addresses are only in the data file').not.toMatch(`${user.email}|${user.id}`)
  })
})

test('the export shows an error during an outage, and works once the server is back', async ({
  server,
  user,
  consoleWatch,
  accountData,
}) => {
  consoleWatch.announceFailingServer()
  await user.addCategories('Family')
  await accountData.open()
  await expect(accountData.title).toBeVisible()
  await server.stop()
  await accountData.saveDataFile.click()
  await expect(accountData.error).toContainText('Failed to export your data')
  await server.start()
  const { text } = await accountData.saved(accountData.saveDataFile)
  expect(text).toContain('Family')
  await expect(accountData.error).toHaveCount(0)
})

test.describe('an import', () => {
  test(
    'shows a preview, restores what was exported, and adds nothing twice',
    { tag: '@every-width' },
    async ({ page, user, dashboard, accountData }) => {
      await user.addCategory('Family', { name: 'Anna', note: 'Peace' }, { name: 'Ben', resolved: true })
      await user.hideCategory(await user.addCategory('Work'))
      await accountData.open()
      const { text } = await accountData.saved(accountData.saveDataFile)
      await user.deleteEverything()
      await accountData.choose(text, 'mine.json')
      await expect(accountData.importCard).toContainText('2 prayers and 2 categories will be added.')
      await expect(accountData.importCard).toContainText(`mine.json, exported on`)
      await expect(accountData.importCard).toContainText(user.email)
      await expect(accountData.importCard).toContainText('Family (2), Work (0)')
      expect(await user.categoryNames()).toEqual([])
      await accountData.importButton.click()
      await expect(accountData.announced('2 prayers and 2 categories added')).toBeVisible()
      await expect(accountData.chooseFile).toBeFocused()
      expect(await user.categoryNames()).toEqual(['Family', 'Work'])
      expect(await user.prayers()).toEqual([
        { person_name: 'Anna', note: 'Peace', resolved: false },
        { person_name: 'Ben', note: null, resolved: true },
      ])

      await accountData.choose(text)
      await expect(accountData.importCard).toContainText('Everything in this file is here already.')
      await expect(accountData.importButton).toHaveCount(0)
      await page.getByRole('link', { name: 'Back to Dashboard' }).click()
      await expect(dashboard.card('Family').rows).toHaveText([/Anna/])
    },
  )

  test('updates a dashboard that was opened before', async ({ user, dashboard, navigation, accountData }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await dashboard.open()
    await expect(dashboard.card('Family').rows).toHaveText([/Anna/])
    await navigation.menuButton.click()
    await navigation.accountDataItem.click()
    await accountData.choose(fileWith('Family', ['Clara']))
    await accountData.importButton.click()
    await expect(accountData.chooseFile).toBeVisible()
    await accountData.page.goBack()
    await expect(dashboard.card('Family').rows).toHaveText([/Anna/, /Clara/])
  })

  test('accepts a file of another account, and assigns new ids', async ({ user, newUser, accountData }) => {
    const other = await newUser()
    const otherCategory = await other.addCategory('Choir', { name: 'Clara' })
    await accountData.open()
    const file = JSON.stringify({
      ...JSON.parse(fileWith('Choir', ['Clara'])),
      account: { email: other.email },
    }).replaceAll(CHOIR, otherCategory)
    await accountData.choose(file)
    await expect(accountData.importCard).toContainText(other.email)
    await accountData.importButton.click()
    await expect(accountData.announced('1 prayer and 1 category added')).toBeVisible()
    expect(await user.categoryNames()).toEqual(['Choir'])
    expect(await other.prayers()).toHaveLength(1)
  })

  test('works with 5,000 prayers, and so does their export', async ({ user, accountData }) => {
    await accountData.open()
    await accountData.choose(
      fileWith(
        'Family',
        Array.from({ length: 5000 }, (_, index) => `Person ${String(index)}`),
      ),
    )
    await expect(accountData.importCard).toContainText('5,000 prayers and 1 category will be added.')
    await accountData.importButton.click()
    await expect(accountData.announced('5,000 prayers and 1 category added')).toBeVisible()
    const { text } = await accountData.saved(accountData.saveDataFile)
    const { prayers }: { prayers: unknown[] } = JSON.parse(text)
    expect(prayers).toHaveLength(5000)
    expect(await user.categoryNames()).toEqual(['Family'])
  })

  test('of an invalid file shows the place of the error, and changes nothing', async ({
    user,
    consoleWatch,
    accountData,
  }) => {
    consoleWatch.announce(/^console\.error: Failed to import/)
    await accountData.open()
    await accountData.choose('Dear diary')
    await expect(accountData.error).toHaveText(
      'This is not an exported data file: it cannot be read. Nothing was changed.',
    )
    await accountData.choose(fileWith('Family', ['Anna', ' ']))
    await expect(accountData.error).toHaveText('Prayer 2: “person_name” is empty. Nothing was changed.')
    expect(await user.categoryNames()).toEqual([])
    await accountData.choose(fileWith('Family', ['Anna']))
    await expect(accountData.importButton).toBeVisible()
    await expect(accountData.error).toHaveCount(0)
    await accountData.cancelImport.click()
    await expect(accountData.chooseFile).toBeFocused()
    expect(await user.categoryNames()).toEqual([])
  })

  test('cannot be cancelled while it is running, as it may already have succeeded', async ({
    server,
    user,
    accountData,
  }) => {
    await accountData.open()
    await accountData.choose(fileWith('Family', ['Anna']))
    await expect(accountData.importButton).toBeVisible()
    server.pause()
    await accountData.importButton.click()
    await expect(accountData.cancelImport).toBeDisabled()
    server.resume()
    await expect(accountData.announced('1 prayer and 1 category added')).toBeVisible()
    expect(await user.prayers()).toHaveLength(1)
  })

  test('that fails keeps the preview, and works once the server is back', async ({
    server,
    user,
    consoleWatch,
    accountData,
  }) => {
    consoleWatch.announceFailingServer()
    await accountData.open()
    await accountData.choose(fileWith('Family', ['Anna']))
    await expect(accountData.importButton).toBeVisible()
    await server.stop()
    await accountData.importButton.click()
    await expect(accountData.error).toContainText('Failed to import')
    await server.start()
    await accountData.importButton.click()
    await expect(accountData.announced('1 prayer and 1 category added')).toBeVisible()
    expect(await user.prayers()).toHaveLength(1)
  })
})

test.describe('deleting the account', () => {
  test(
    'states exactly what will be deleted, asks for the password, and leaves nothing behind',
    { tag: '@every-width' },
    async ({ page, user, consoleWatch, authScreen, dashboard, accountData }) => {
      consoleWatch.announce(/^status 40[03]/, /^console\.error/)
      await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben', resolved: true })
      await user.addCategories('Church')
      await accountData.open()
      await accountData.deleteButton.click()
      const { deletion } = accountData
      await expect(deletion.root).toContainText(
        `This deletes the account ${user.email} with 2 prayers in 2 categories, and signs you out on every device. This action cannot be undone.`,
      )
      await expect(deletion.cancel).toBeFocused()
      await deletion.confirm.click()
      await expect(deletion.error).toHaveText('Please enter your password')
      await deletion.password.fill('not my password')
      await deletion.password.press('Enter')
      await expect(deletion.error).toHaveText(
        'This is not the password of your account. Nothing was deleted.',
      )
      await expect(deletion.password).toBeFocused()
      expect(await user.prayers()).toHaveLength(2)

      await deletion.password.fill(user.password)
      await deletion.confirm.click()
      await expect(authScreen.heading('Welcome back')).toBeVisible()
      await expect(page.getByRole('status')).toHaveText(FLASH_MESSAGE)
      // The data on the device is deleted in the background.
      await expect
        .poll(() => page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]))
        .toEqual([])

      await authScreen.signIn(user.email, user.password)
      await expect(authScreen.error).toContainText('Invalid login credentials')
      await authScreen.toSignUp.click()
      await expect(page.getByText(FLASH_MESSAGE)).toBeHidden()
      await authScreen.signUp(user.email, user.password)
      await expect(dashboard.welcomeCard).toBeVisible()
      await expect(page.getByText(FLASH_MESSAGE)).toBeHidden()
    },
  )

  test('can be cancelled with the button and with Esc, which restore the focus', async ({
    page,
    user,
    accountData,
  }) => {
    await user.addCategories('Family')
    await accountData.open()
    await accountData.deleteButton.click()
    await accountData.deletion.cancel.click()
    await expect(accountData.deletion.root).toBeHidden()
    await expect(accountData.deleteButton).toBeFocused()
    await accountData.deleteButton.press('Enter')
    await expect(accountData.deletion.root).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(accountData.deletion.root).toBeHidden()
    expect(await user.categoryNames()).toEqual(['Family'])
  })

  test('offers an export before', async ({ user, accountData }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await accountData.open()
    await accountData.deleteButton.click()
    const { text } = await accountData.saved(accountData.deletion.saveDataFile)
    expect(text).toContain('"person_name": "Anna"')
    await expect(accountData.deletion.root).toContainText('Your data file is saved.')
  })

  test('shows an error during an outage, and works once the server is back', async ({
    server,
    user,
    consoleWatch,
    authScreen,
    accountData,
  }) => {
    consoleWatch.announceFailingServer()
    consoleWatch.announce(/^status 403/)
    await accountData.open()
    await accountData.deleteButton.click()
    await accountData.deletion.password.fill(user.password)
    await server.stop()
    await accountData.deletion.confirm.click()
    await expect(accountData.deletion.error).toContainText('Failed to sign in')
    await server.start()
    await accountData.deletion.confirm.click()
    await expect(authScreen.heading('Welcome back')).toBeVisible()
  })

  test('signs out in other tabs', async ({ user, consoleWatch, context, accountData }) => {
    consoleWatch.announce(/^status 403/, /^console\.error/)
    await user.addCategory('Family', { name: 'Anna' })
    const other = await context.newPage()
    await new DashboardScreen(other).open()
    await expect(new DashboardScreen(other).card('Family').rows).toHaveCount(1)
    await accountData.open()
    await accountData.deleteButton.click()
    await accountData.deletion.password.fill(user.password)
    await accountData.deletion.confirm.click()
    await expectSignedOut(other)
  })

  test('signs out on other devices with their next request', async ({
    browser,
    user,
    server,
    consoleWatch,
    authScreen,
    accountData,
  }) => {
    consoleWatch.announce(/^status 403/, /^console\.error/)
    await user.addCategory('Family', { name: 'Anna' })
    const phone = await browser.newContext({ baseURL: server.url })
    await user.signInOn(phone)
    const phonePage = await phone.newPage()
    const phoneDashboard = new DashboardScreen(phonePage)
    await phoneDashboard.open()
    await phoneDashboard.card('Family').addPrayer.click()
    await phoneDashboard.prayerDialog.name.fill('Clara')

    await accountData.open()
    await accountData.deleteButton.click()
    await accountData.deletion.password.fill(user.password)
    await accountData.deletion.confirm.click()
    await expect(authScreen.heading('Welcome back')).toBeVisible()

    await phoneDashboard.prayerDialog.addButton.click()
    await expectSignedOut(phonePage)
    await expect(phonePage.getByRole('status')).toHaveText(FLASH_MESSAGE)
    await expect(phonePage.getByText('Anna')).toHaveCount(0)
    await phone.close()
  })
})

async function expectSignedOut(page: Page): Promise<void> {
  await expect(new AuthScreen(page).heading('Welcome back')).toBeVisible()
}

const CHOIR = '00000000-0000-4000-8000-0000000000c1'

/** A data file with one category. */
function fileWith(category: string, names: readonly string[]): string {
  const time = '2026-02-01T00:00:00.000000+00:00'
  return JSON.stringify({
    format: 'intercede-export',
    version: 1,
    exported_at: time,
    account: null,
    categories: [
      { id: CHOIR, name: category, order: 1, is_visible: true, created_at: time, updated_at: time },
    ],
    prayers: names.map((person_name) => ({
      id: randomUUID(),
      category_id: CHOIR,
      person_name,
      note: null,
      resolved: false,
      created_at: time,
    })),
  })
}
