import { randomUUID } from 'node:crypto'
import { authScreenOf } from './screens/auth-screen.ts'
import { dashboardScreenOf } from './screens/dashboard-screen.ts'
import { expect, test } from './test.ts'

const FLASH_MESSAGE = 'Your account has been deleted, with everything in it. Go in peace.'

test('an import shows a preview, restores what was exported, and adds nothing twice, whoever exported it', async ({
  user,
  newUser,
  dashboard,
  navigation,
  settings,
  yourData,
}) => {
  const { importButton, importCard } = yourData
  await user.addCategory('Family', { name: 'Anna', note: 'Peace' }, { name: 'Ben', resolved: true })
  await user.hideCategory(await user.addCategory('Work'))
  await yourData.open()
  const { text } = await yourData.saved(yourData.saveDataFile)
  await user.deleteEverything()
  await user.addCategory('Friends', { name: 'Dan' })
  await dashboard.open()
  await expect(dashboard.card('Friends').rows).toHaveText([/Dan/])
  await navigation.menuButton.click()
  await navigation.settingsItem.click()
  await settings.link('Your data').click()
  await yourData.choose(text, 'mine.json')
  await expect(importCard).toContainText('2 prayers and 2 categories will be added.')
  await expect(importCard).toContainText(`mine.json, exported on`)
  await expect(importCard).toContainText(user.email)
  await expect(importCard).toContainText('Family (2), Work (0)')
  expect(await user.categoryNames()).toEqual(['Friends'])
  await importButton.click()
  await expect(yourData.announced('2 prayers and 2 categories added')).toBeVisible()
  await expect(yourData.chooseFile).toBeFocused()
  expect(await user.categoryNames()).toEqual(['Friends', 'Family', 'Work'])
  const byName = (await user.prayers()).toSorted((a, b) => a.person_name.localeCompare(b.person_name))
  expect(byName).toEqual([
    { person_name: 'Anna', note: 'Peace', resolved: false },
    { person_name: 'Ben', note: null, resolved: true },
    { person_name: 'Dan', note: null, resolved: false },
  ])
  await yourData.choose(text)
  await expect(importCard).toContainText('Everything in this file is here already.')
  await expect(importButton).toHaveCount(0)
  await dashboard.open()
  await expect(dashboard.card('Family').rows).toHaveText([/Anna/])

  await test.step('the file of another account gets new ids', async () => {
    const other = await newUser()
    const category = await other.addCategory('Choir', { name: 'Clara' })
    const file = fileWith('Choir', ['Clara'], other.email).replaceAll(CHOIR, category)
    await yourData.open()
    await yourData.choose(file)
    await expect(importCard).toContainText(other.email)
    await importButton.click()
    await expect(yourData.announced('1 prayer and 1 category added')).toBeVisible()
    expect(await user.categoryNames()).toEqual(['Friends', 'Family', 'Work', 'Choir'])
    expect(await other.prayers()).toHaveLength(1)
  })
})

test('deleting the account states what will be deleted, can be cancelled, offers an export, asks for the password, and leaves nothing behind on any device', async ({
  page,
  browser,
  context,
  server,
  user,
  consoleWatch,
  authScreen,
  dashboard,
  yourData,
}) => {
  consoleWatch.announceFailingServer()
  consoleWatch.announce(/^status 40[03]/, /^console\.error/)
  const { deletion } = yourData
  await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben', resolved: true })
  await user.addCategories('Church')
  const phone = await browser.newContext({ baseURL: server.url })
  await user.signInOn(phone)
  const [onPhone, inOtherTab] = [
    dashboardScreenOf(await phone.newPage()),
    dashboardScreenOf(await context.newPage()),
  ]
  for (const each of [onPhone, inOtherTab]) {
    await each.open()
    await each.card('Family').addPrayer.click()
    await each.prayerDialog.name.fill('Clara')
  }

  await yourData.open()
  await yourData.deleteButton.click()
  await expect(deletion.root).toContainText(
    `This deletes the account ${user.email} with 2 prayers in 2 categories, and signs you out on every device. This action cannot be undone.`,
  )
  await expect(deletion.cancel).toBeFocused()
  await deletion.cancel.click()
  await expect(yourData.deleteButton).toBeFocused()
  await yourData.deleteButton.press('Enter')
  expect((await yourData.saved(deletion.saveDataFile)).text).toContain('"person_name": "Anna"')
  await expect(deletion.root).toContainText('Your data file is saved.')
  await deletion.confirm.click()
  await expect(deletion.error).toHaveText('Please enter your password')
  await deletion.password.fill('not my password')
  await deletion.password.press('Enter')
  await expect(deletion.error).toHaveText('This is not the password of your account. Nothing was deleted.')
  await expect(deletion.password).toBeFocused()
  await deletion.password.fill(user.password)
  await server.stop()
  await deletion.confirm.click()
  await expect(deletion.error).toContainText('Failed to sign in')
  await server.start()
  expect(await user.prayers()).toHaveLength(2)
  await deletion.confirm.click()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await expect(page.getByRole('status')).toHaveText(FLASH_MESSAGE)
  await expect(authScreenOf(inOtherTab.page).heading('Welcome back')).toBeVisible()
  // The data on the device is deleted in the background.
  await expect
    .poll(() => page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]))
    .toEqual([])

  await test.step('other devices are signed out with their next request', async () => {
    await onPhone.prayerDialog.addButton.click()
    await expect(authScreenOf(onPhone.page).heading('Welcome back')).toBeVisible()
    await expect(onPhone.page.getByRole('status')).toHaveText(FLASH_MESSAGE)
    await expect(onPhone.page.getByText('Anna')).toHaveCount(0)
    await phone.close()
  })
  await test.step('the address is free again', async () => {
    await page.bringToFront()
    await authScreen.signIn(user.email, user.password)
    await expect(authScreen.error).toContainText('Invalid login credentials')
    await authScreen.toSignUp.click()
    await expect(page.getByText(FLASH_MESSAGE)).toBeHidden()
    await authScreen.signUp(user.email, user.password)
    await expect(dashboard.welcomeCard).toBeVisible()
    await expect(page.getByText(FLASH_MESSAGE)).toBeHidden()
  })
})

const CHOIR = '00000000-0000-4000-8000-0000000000c1'

/** A data file with one category. */
function fileWith(category: string, names: readonly string[], email?: string): string {
  const time = '2026-02-01T00:00:00.000000+00:00'
  return JSON.stringify({
    format: 'intercede-export',
    version: 1,
    exported_at: time,
    account: email === undefined ? null : { email },
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
