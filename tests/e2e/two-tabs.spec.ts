import { leaveClosedDialogs } from './fixtures/closed-dialogs.ts'
import { screensOf } from './screens/screens.ts'
import { expect, test } from './test.ts'

test('two tabs sign in and out together, and show nothing of the previous user to the next', async ({
  page,
  context,
  newUser,
}) => {
  const [user, next] = [await newUser(), await newUser()]
  await user.addCategory('Family', { name: 'Anna' })
  const [first, second] = [screensOf(page), screensOf(await context.newPage())]
  await first.authScreen.open()
  await second.authScreen.open()
  await first.authScreen.signIn(user.email, user.password)
  await expect(first.dashboard.card('Family').row('Anna').root).toBeVisible()
  await expect(second.dashboard.card('Family').row('Anna').root).toBeVisible()
  await second.navigation.signOut()
  await expect(second.authScreen.heading('Welcome back')).toBeVisible()
  await expect(first.authScreen.heading('Welcome back')).toBeVisible()
  await first.authScreen.signIn(next.email, next.password)
  for (const tab of [first, second]) {
    await expect(tab.dashboard.welcomeCard).toBeVisible()
    await expect(tab.page.getByText('Anna')).toHaveCount(0)
  }
})

test('a tab shows prayers and categories that the other tab added, changed or deleted', async ({
  page,
  context,
  user,
}) => {
  await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' })
  await user.addCategories('Friends', 'Church')
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

  const titles = second.dashboard.cards.getByRole('heading')
  const { categories } = first
  await first.page.bringToFront()
  await leaveClosedDialogs(first.page)
  await first.dashboard.manageCategories.click()
  await categories.lift('Church')
  await categories.move('ArrowUp', '2 of 3')
  await categories.drop()
  await second.page.bringToFront()
  await expect(titles).toHaveText(['Family', 'Church', 'Friends'])
  await first.page.bringToFront()
  await categories.row('Friends').hide.click()
  await second.page.bringToFront()
  await expect(titles).toHaveText(['Family', 'Church'])
  await first.page.bringToFront()
  await categories.row('Church').remove.click()
  await categories.confirmDialog.confirm.click()
  await second.page.bringToFront()
  await expect(titles).toHaveText(['Family'])
})
