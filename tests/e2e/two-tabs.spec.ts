import type { Page } from '@playwright/test'
import { AuthScreen } from './screens/auth-screen.ts'
import { CategoriesScreen } from './screens/categories-screen.ts'
import { DashboardScreen } from './screens/dashboard-screen.ts'
import { NavigationBar } from './screens/navigation-bar.ts'
import { expect, test } from './test.ts'

test.describe('two tabs of one browser', () => {
  test('sign in and out together', async ({ page, context, newUser }) => {
    const user = await newUser()
    const [first, second] = [screensOf(page), screensOf(await context.newPage())]
    await first.auth.open()
    await second.auth.open()
    await first.auth.signIn(user.email, user.password)
    await expect(first.dashboard.title).toBeVisible()
    await expect(second.dashboard.title).toBeVisible()
    await second.navigation.signOut()
    await expect(second.auth.heading('Welcome back')).toBeVisible()
    await expect(first.auth.heading('Welcome back')).toBeVisible()
  })

  test('show prayers that the other tab added, resolved or deleted', async ({ page, context, user }) => {
    await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' })
    const [first, second] = [screensOf(page), screensOf(await context.newPage())]
    await first.dashboard.open()
    await second.dashboard.open()
    const [firstCard, secondCard] = [first.dashboard.card('Family'), second.dashboard.card('Family')]
    await expect(secondCard.rows).toHaveText([/Anna/, /Ben/])

    await first.dashboard.addPrayer('Family', 'Clara')
    await expect(firstCard.rows).toHaveText([/Clara/, /Anna/, /Ben/])
    await second.page.bringToFront()
    await expect(secondCard.rows).toHaveText([/Clara/, /Anna/, /Ben/])

    await secondCard.row('Anna').resolve.click()
    await first.page.bringToFront()
    await expect(firstCard.rows).toHaveText([/Clara/, /Ben/])

    await firstCard.row('Ben').remove.click()
    await first.dashboard.confirmDialog.confirm.click()
    await second.page.bringToFront()
    await expect(secondCard.rows).toHaveText([/Clara/])
  })

  test('show categories that the other tab reordered, hid or deleted', async ({ page, context, user }) => {
    await user.addCategories('Family', 'Friends', 'Church')
    const [first, second] = [screensOf(page), screensOf(await context.newPage())]
    await first.categories.open()
    await second.dashboard.open()
    const titles = second.dashboard.cards.getByRole('heading')
    await expect(titles).toHaveText(['Family', 'Friends', 'Church'])

    await first.page.bringToFront()
    await first.categories.lift('Church')
    await first.categories.move('ArrowUp', '2 of 3')
    await first.categories.drop()
    await second.page.bringToFront()
    await expect(titles).toHaveText(['Family', 'Church', 'Friends'])

    await first.page.bringToFront()
    await first.categories.row('Friends').hide.click()
    await second.page.bringToFront()
    await expect(titles).toHaveText(['Family', 'Church'])
    await first.page.bringToFront()
    await first.categories.row('Church').remove.click()
    await first.categories.confirmDialog.confirm.click()
    await second.page.bringToFront()
    await expect(titles).toHaveText(['Family'])
  })

  test('the next user to sign in does not see the prayers of the previous one', async ({
    page,
    user,
    newUser,
  }) => {
    await user.addCategory('Family', { name: 'Anna' })
    const other = await newUser()
    const screens = screensOf(page)
    await screens.dashboard.open()
    await expect(screens.dashboard.card('Family').row('Anna').root).toBeVisible()
    await screens.navigation.signOut()
    await screens.auth.signIn(other.email, other.password)
    await expect(screens.dashboard.welcomeCard).toBeVisible()
    await expect(page.getByText('Anna')).toHaveCount(0)
  })
})

function screensOf(page: Page) {
  return {
    page,
    auth: new AuthScreen(page),
    navigation: new NavigationBar(page),
    dashboard: new DashboardScreen(page),
    categories: new CategoriesScreen(page),
  }
}
