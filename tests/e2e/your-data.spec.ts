import { authScreenOf } from './screens/auth-screen.ts'
import { dashboardScreenOf } from './screens/dashboard-screen.ts'
import { expect, test } from './test.ts'

const FLASH_MESSAGE = 'Your account has been deleted, with everything in it. Go in peace.'

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
