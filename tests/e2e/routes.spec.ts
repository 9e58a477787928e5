import { expect, test } from './test.ts'

test.describe('guests', () => {
  for (const path of ['/dashboard', '/manage-categories', '/reset-password']) {
    test(`are sent from ${path} to the sign-in screen`, async ({ page, authScreen }) => {
      await page.goto(path)
      await expect(authScreen.heading('Welcome back')).toBeVisible()
      expect(new URL(page.url()).pathname).toBe('/')
    })
  }

  test('arrive, after signing in, at the page they had asked for', async ({
    page,
    newPerson,
    authScreen,
    categories,
  }) => {
    const person = await newPerson()
    await page.goto('/manage-categories')
    await authScreen.signIn(person.email, person.password)
    await expect(categories.title).toBeVisible()
    await expect(page).toHaveURL('/manage-categories')
  })

  for (const path of ['/terms', '/privacy', '/nowhere']) {
    test(`may open ${path}`, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page).toHaveURL(path)
    })
  }
})

test.describe('somebody signed in', () => {
  for (const path of ['/', '/?mode=signup', '/reset-password']) {
    test(`is sent from ${path} to the dashboard`, async ({ page, person, dashboard }) => {
      expect(person.email).toContain('@')
      await page.goto(path)
      await expect(dashboard.title).toBeVisible()
      await expect(page).toHaveURL('/dashboard')
    })
  }

  test('can go back and forward between screens', async ({ page, person, dashboard, categories }) => {
    await person.hasCategory('Family')
    await dashboard.open()
    await dashboard.manageCategories.click()
    await expect(categories.title).toBeVisible()
    await page.goBack()
    await expect(dashboard.title).toBeVisible()
    await page.goForward()
    await expect(categories.title).toBeVisible()
  })

  test('hears of a new screen by its title and the focus on its heading', async ({
    page,
    person,
    dashboard,
    categories,
  }) => {
    await person.hasCategory('Family')
    await dashboard.open()
    await expect(page).toHaveTitle(/Dashboard.*Intercede/)
    await dashboard.manageCategories.click()
    await expect(page).toHaveTitle(/Manage Categories.*Intercede/)
    await expect(categories.title).toBeFocused()
  })

  test('can skip the navigation with the first press of Tab', async ({ page, person, dashboard }) => {
    await person.hasCategory('Family')
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
