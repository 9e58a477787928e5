import { expect, test } from './test.ts'

test.describe('guests', () => {
  for (const path of ['/dashboard', '/pray', '/answered', '/manage-categories', '/reset-password']) {
    test(`are redirected from ${path} to the sign-in screen`, async ({ page, authScreen }) => {
      await page.goto(path)
      await expect(authScreen.heading('Welcome back')).toBeVisible()
      expect(new URL(page.url()).pathname).toBe('/')
    })
  }

  test('are redirected, after signing in, to the page they requested', async ({
    page,
    newUser,
    authScreen,
    categories,
  }) => {
    const user = await newUser()
    await page.goto('/manage-categories')
    await authScreen.signIn(user.email, user.password)
    await expect(categories.title).toBeVisible()
    await expect(page).toHaveURL('/manage-categories')
  })

  for (const path of ['/terms', '/privacy', '/nowhere']) {
    test(`can open ${path}`, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page).toHaveURL(path)
    })
  }
})

test.describe('signed-in users', () => {
  for (const path of ['/', '/?mode=signup', '/reset-password']) {
    test(`are redirected from ${path} to the dashboard`, async ({ page, user, dashboard }) => {
      expect(user.email).toContain('@')
      await page.goto(path)
      await expect(dashboard.title).toBeVisible()
      await expect(page).toHaveURL('/dashboard')
    })
  }

  test('can go back and forward between screens', async ({ page, user, dashboard, categories }) => {
    await user.addCategory('Family')
    await dashboard.open()
    await dashboard.manageCategories.click()
    await expect(categories.title).toBeVisible()
    await page.goBack()
    await expect(dashboard.title).toBeVisible()
    await page.goForward()
    await expect(categories.title).toBeVisible()
  })

  test('notice a new screen by its title and by the focus on its heading', async ({
    page,
    user,
    dashboard,
    categories,
  }) => {
    await user.addCategory('Family')
    await dashboard.open()
    await expect(page).toHaveTitle(/Dashboard.*Intercede/)
    await dashboard.manageCategories.click()
    await expect(page).toHaveTitle(/Manage Categories.*Intercede/)
    await expect(categories.title).toBeFocused()
  })

  test('can skip the navigation with a link that the first press of Tab focuses', async ({
    page,
    user,
    dashboard,
  }) => {
    await user.addCategory('Family')
    await dashboard.open()
    await expect(dashboard.title).toBeVisible()
    await page.locator('body').evaluate((body) => {
      body.tabIndex = -1
      body.focus()
    })
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: /skip/i })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
  })
})

test('the page shows the header before its script has been loaded', async ({ page, authScreen }) => {
  let load: () => void = () => {}
  const loading = new Promise<void>((resolve) => (load = resolve))
  await page.route('**/assets/index-*.js', async (route) => {
    await loading
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page.getByRole('banner')).toContainText('Intercede')
  await expect(page.getByRole('main')).toContainText('Loading...')
  const before = await page.getByRole('link', { name: 'Intercede' }).boundingBox()
  load()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  expect(await page.getByRole('link', { name: 'Intercede' }).boundingBox(), 'nothing moves').toEqual(before)
})
