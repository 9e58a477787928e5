import { expect, test } from './test.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test(
  'a new user adds prayers, and they are still there after a reload, a server restart and a new sign-in',
  { tag: '@apart' },
  async ({ page, server, authScreen, navigation, dashboard, categories, consoleWatch }, { project }) => {
    const email = `main-path-${project.name}@example.org`
    await authScreen.open('signup')
    await authScreen.signUp(email, 'a quiet hour')
    await expect(page).toHaveURL('/dashboard')

    await dashboard.createFirstCategory.click()
    await expect(page).toHaveURL('/manage-categories')
    await categories.add('Family')
    await expect(categories.row('Family').root).toBeVisible()

    await categories.backToDashboard.click()
    const card = dashboard.card('Family')
    for (const name of ['Anna', 'Ben', 'Clara']) {
      await dashboard.addPrayer('Family', name, `Peace for ${name}`)
      await expect(dashboard.prayerDialog.root).toBeHidden()
    }
    await expect(card.rows).toHaveText([/Clara/, /Ben/, /Anna/])
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await card.row('Ben').resolve.click()
    await saved
    await expect(card.rows).toHaveText([/Clara/, /Anna/])

    const expectAllPrayers = async () => {
      await expect(card.rows).toHaveText([/Clara/, /Anna/])
      await card.showResolved.click()
      await expect(card.rows).toHaveText([/Clara/, /Anna/, /Ben/])
      await expect(card.row('Ben').resolvedBadge).toBeVisible()
      await expect(card.row('Clara').root).toContainText('Peace for Clara')
    }
    await page.reload()
    await expectAllPrayers()

    consoleWatch.announceFailingServer()
    await server.restart()
    await page.reload()
    await expectAllPrayers()

    await navigation.signOut()
    await expect(page).toHaveURL('/')
    await authScreen.signIn(email, 'a quiet hour')
    await expect(page).toHaveURL('/dashboard')
    await expectAllPrayers()
  },
)

test('the first prayer is saved five taps and three screens after the form was filled in', async ({
  page,
  authScreen,
  dashboard,
  categories,
}) => {
  const screens: string[] = []
  page.on('framenavigated', (frame) => screens.push(new URL(frame.url()).pathname))
  await authScreen.open('signup')
  await authScreen.email.fill('first-prayer@example.org')
  await authScreen.password.fill('a quiet hour')
  screens.length = 0
  await authScreen.createAccountButton.click()
  await dashboard.createFirstCategory.click()
  await categories.suggestion('Family').click()
  await categories.firstPrayer.click()
  await expect(dashboard.prayerDialog.name).toBeFocused()
  await page.keyboard.type('Anna')
  await dashboard.prayerDialog.addButton.click()
  await expect(dashboard.card('Family').rows).toHaveText([/Anna/])
  expect(screens.filter((path, index) => path !== screens[index - 1])).toEqual([
    '/dashboard',
    '/manage-categories',
    '/dashboard',
  ])
})
