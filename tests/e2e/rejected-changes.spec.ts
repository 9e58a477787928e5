import type { BrowserContext } from '@playwright/test'
import { leaveClosedDialogs } from './fixtures/closed-dialogs.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import type { User } from './fixtures/user.ts'
import { dashboardScreenOf } from './screens/dashboard-screen.ts'
import { rejectedChangesSheetOf } from './screens/rejected-changes-sheet.ts'
import { expect, test } from './test.ts'

test.beforeEach(({ consoleWatch }) => consoleWatch.announce(/^status 4/, /^console\.error: Failed to /))

test('what other devices make impossible is corrected with everything that was typed, or kept as an update', async ({
  page,
  browser,
  baseURL,
  user,
  dashboard,
  navigation,
}) => {
  const sheet = rejectedChangesSheetOf(page)
  const { prayerDialog } = dashboard
  const friends = dashboard.card('Friends')
  const family = await user.addCategory('Family')
  await user.addCategories('Friends')
  await dashboard.open()
  await test.step('a prayer whose category was deleted', async () => {
    await dashboard.card('Family').addPrayer.click()
    await prayerDialog.name.fill('Anna')
    await prayerDialog.details.fill('A calm exam week')
    await user.deleteCategory(family)
    await prayerDialog.addButton.click()
    await expect(dashboard.banner).toContainText('Its category was deleted on another device.')
    const seeKept = dashboard.banner.getByRole('button', { name: 'See what is kept' })
    await seeKept.click()
    await expect(sheet.root).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(seeKept).toBeFocused()
    await navigation.couldNotBeSaved.click()
    await expect(sheet.entries).toHaveCount(1)
    await expect(sheet.entries).toContainText(/You added the prayer for .Anna/)
    await expect(sheet.entries).toContainText('Its category was deleted on another device.')
    await expect(sheet.entries).toContainText('A calm exam week')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(sheet.root).toBeHidden()
    await expect(navigation.couldNotBeSaved).toBeFocused()
    await page.reload()
    await navigation.couldNotBeSaved.click()
    await sheet.changeAndTryAgain.click()
    await expect(prayerDialog.name.last()).toHaveValue('Anna')
    await expect(prayerDialog.details.last()).toHaveValue('A calm exam week')
    await expect(prayerDialog.category.last()).toHaveValue('')
    await prayerDialog.category.last().selectOption('Friends')
    await prayerDialog.addButton.click()
    await expect(friends.rows).toHaveText([/Anna/])
    await expect(sheet.root).toBeHidden()
    await expect(navigation.couldNotBeSaved).toHaveCount(0)
    await expect(dashboard.title).toBeFocused()
    await expect.poll(() => user.prayers()).toMatchObject([{ person_name: 'Anna', note: 'A calm exam week' }])
  })
  await test.step('a note that was changed as well', async () => {
    await leaveClosedDialogs(page)
    await friends.row('Anna').edit.click()
    await prayerDialog.details.fill('A calm exam week, and good sleep')
    const phone = await browser.newContext({ baseURL: baseURL ?? '' })
    await changeNoteElsewhere(phone, user, 'A calm month')
    await expect.poll(() => user.prayers()).toMatchObject([{ note: 'A calm month' }])
    await prayerDialog.updateButton.click()
    const kept = /^Your version of \d+ \w+, \d\d:\d\d\n\nA calm exam week, and good sleep$/
    await expect.poll(() => user.updates()).toEqual([expect.stringMatching(kept)])
    await expect(friends.rows).toContainText('A calm month')
    expect(await user.prayers()).toMatchObject([{ note: 'A calm month' }])
    await expect(navigation.couldNotBeSaved).toHaveCount(0)
    await phone.close()
  })
  await test.step('the note of a prayer that was deleted becomes a new prayer', async () => {
    await leaveClosedDialogs(page)
    await friends.row('Anna').edit.click()
    await prayerDialog.details.fill('A good result')
    await user.deletePrayers()
    await prayerDialog.updateButton.click()
    await navigation.couldNotBeSaved.click()
    await expect(sheet.entries).toContainText('This prayer was deleted on another device.')
    await sheet.changeAndTryAgain.click()
    await prayerDialog.category.last().selectOption('Friends')
    await prayerDialog.name.last().fill('Anna')
    await prayerDialog.addButton.click()
    await expect(friends.rows).toHaveText([/Anna/])
    await expect.poll(() => user.prayers()).toMatchObject([{ person_name: 'Anna', note: 'A good result' }])
    await expect(navigation.couldNotBeSaved).toHaveCount(0)
  })
})

async function changeNoteElsewhere(context: BrowserContext, user: User, note: string): Promise<void> {
  await user.signInOn(context)
  const dashboard = dashboardScreenOf(await context.newPage())
  await dashboard.open()
  await dashboard.card('Friends').row('Anna').edit.click()
  await dashboard.prayerDialog.details.fill(note)
  await dashboard.prayerDialog.updateButton.click()
  await expect(dashboard.prayerDialog.root).toBeHidden()
}
