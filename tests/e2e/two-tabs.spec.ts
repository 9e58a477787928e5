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
