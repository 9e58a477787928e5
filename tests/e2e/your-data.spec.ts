import { randomUUID } from 'node:crypto'
import { authScreenOf } from './screens/auth-screen.ts'
import { dashboardScreenOf } from './screens/dashboard-screen.ts'
import { expect, test } from './test.ts'

const FLASH_MESSAGE = 'Your account has been deleted, with everything in it. Go in peace.'

test('the export contains everything the server has stored at that moment, and without it, what is on this device', async ({
  page,
  server,
  user,
  dashboard,
  navigation,
  settings,
  yourData,
  consoleWatch,
}) => {
  consoleWatch.announceFailingServer()
  const family = await user.addCategory('Family')
  await dashboard.open()
  await navigation.menuButton.click()
  await navigation.settingsItem.click()
  await settings.link('Your data').click()
  await expect(page).toHaveURL('/settings/your-data')
  await expect(page).toHaveTitle('Your data · Intercede')
  await expect(yourData.title).toBeFocused()
  await expect(navigation.menu).toBeHidden()

  await user.addPrayers(family, { name: 'Anna', note: 'Peace' }, { name: 'Ben', resolved: true })
  await user.hideCategory(family)
  const data = await yourData.saved(yourData.saveDataFile)
  expect(data.name).toMatch(/^intercede-\d{4}-\d\d-\d\d\.json$/)
  expect(JSON.parse(data.text)).toMatchObject({
    format: 'intercede-export',
    version: 3,
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
  expect(data.text).not.toContain(user.password)
  expect(data.text).not.toContain('encrypted_password')

  await server.stop()
  const offline = await yourData.saved(yourData.saveDataFile)
  expect(JSON.parse(offline.text)).toMatchObject({
    account: { id: user.id },
    prayers: [{ person_name: 'Anna' }, { person_name: 'Ben' }],
  })
  await expect(yourData.exportCard).toContainText('the days on which you prayed are not in the file')
  const { name, text } = await yourData.saved(yourData.saveAsText)
  await expect(yourData.exportCard).not.toContainText('are not in the file')
  await server.start()
  expect(name).toMatch(/^intercede-\d{4}-\d\d-\d\d\.txt$/)
  expect(text).toMatch(/^Your prayers in Intercede\n=+\nExported on /)
  expect(text).toMatch(
    /Family[^\n]*\n-+\n[^]*Open \(1\)\n\n {2}Anna · [^]*\n {4}Peace\n[^]*Resolved \(1\)\n\n {2}Ben · /,
  )
  expect(text, 'ids and addresses are only in the data file').not.toMatch(`${user.email}|${user.id}`)
})

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

test('an import that fails changes nothing, and works once the server is back, with 5,000 prayers', async ({
  server,
  user,
  consoleWatch,
  yourData,
}) => {
  consoleWatch.announceFailingServer()
  const { cancelImport, chooseFile, error, importButton, importCard } = yourData
  const people = Array.from({ length: 5000 }, (_, index) => `Person ${String(index)}`)
  await yourData.open()
  await yourData.choose('Dear diary')
  await expect(error).toHaveText('This is not an exported data file: it cannot be read. Nothing was changed.')
  await yourData.choose(fileWith('Family', ['Anna', ' ']))
  await expect(error).toHaveText('Prayer 2: “person_name” is empty. Nothing was changed.')
  await yourData.choose(fileWith('Family', ['Anna']))
  await expect(importButton).toBeVisible()
  await expect(error).toHaveCount(0)
  await cancelImport.click()
  await expect(chooseFile).toBeFocused()
  expect(await user.categoryNames()).toEqual([])

  await yourData.choose(fileWith('Family', people))
  await expect(importCard).toContainText('5,000 prayers and 1 category will be added.')
  await server.stop()
  await importButton.click()
  await expect(error).toContainText('Failed to import')
  await server.start()
  server.pause()
  await importButton.click()
  await expect(cancelImport, 'it may already have succeeded').toBeDisabled()
  server.resume()
  await expect(yourData.announced('5,000 prayers and 1 category added')).toBeVisible()
  const { text } = await yourData.saved(yourData.saveDataFile)
  const { prayers }: { prayers: unknown[] } = JSON.parse(text)
  expect(prayers).toHaveLength(5000)
  expect(await user.categoryNames()).toEqual(['Family'])
})

test('deleting the account can be cancelled, and offers an export before', async ({
  page,
  user,
  yourData,
}) => {
  const { deleteButton, deletion } = yourData
  await user.addCategory('Family', { name: 'Anna' })
  await yourData.open()
  await deleteButton.click()
  await expect(deletion.cancel).toBeFocused()
  await deletion.cancel.click()
  await expect(deletion.root).toBeHidden()
  await expect(deleteButton).toBeFocused()
  await deleteButton.press('Enter')
  const { text } = await yourData.saved(deletion.saveDataFile)
  expect(text).toContain('"person_name": "Anna"')
  await expect(deletion.root).toContainText('Your data file is saved.')
  await page.keyboard.press('Escape')
  await expect(deletion.root).toBeHidden()
  expect(await user.categoryNames()).toEqual(['Family'])
})

test('deleting the account states what will be deleted, asks for the password, and leaves nothing behind on any device', async ({
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
