import { expect, test } from './test.ts'

test('the Terms of Service have seven numbered sections and the date of today', async ({ page }) => {
  await page.goto('/terms')
  await expect(page.getByRole('heading', { name: 'Terms of Service', level: 1 })).toBeVisible()
  const sections = page.getByRole('heading', { level: 2 })
  await expect(sections).toHaveCount(7)
  const topics = [
    /acceptance/i,
    /use license/i,
    /account/i,
    /content/i,
    /disclaimer/i,
    /liability/i,
    /changes/i,
  ]
  for (const [index, topic] of topics.entries()) {
    await expect(sections.nth(index)).toContainText(topic)
    await expect(sections.nth(index)).toContainText(String(index + 1))
  }
  const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/London' }).format(
    new Date(),
  )
  await expect(page.getByRole('main')).toContainText(today)
})

test('the Privacy Policy has eight topics and mentions third-party sign-in', async ({ page }) => {
  await page.goto('/privacy')
  await expect(page.getByRole('heading', { name: 'Privacy Policy', level: 1 })).toBeVisible()
  const sections = page.getByRole('heading', { level: 2 })
  await expect(sections).toHaveCount(8)
  const topics = [/collect/i, /use/i, /shar/i, /secur/i, /rights/i, /third-party/i, /changes/i, /contact/i]
  for (const [index, topic] of topics.entries()) await expect(sections.nth(index)).toContainText(topic)
  await expect(page.getByRole('main')).toContainText(/X|Twitter/)
})

test(
  'the header is shown before the script has arrived',
  { tag: '@every-width' },
  async ({ page, authScreen }) => {
    let sendScripts = () => {}
    const mayArrive = new Promise<void>((resolve) => (sendScripts = resolve))
    await page.route('**/*.js', async (route) => {
      await mayArrive
      await route.continue()
    })
    await page.goto('/', { waitUntil: 'commit' })
    const header = page.getByRole('banner')
    await expect(header.getByText('Intercede', { exact: true })).toBeVisible()
    const before = await header.boundingBox()
    sendScripts()
    await expect(authScreen.heading('Welcome back')).toBeVisible()
    expect(await header.boundingBox()).toEqual(before)
  },
)

test.describe('an unknown path', () => {
  test('shows that the page was not found, with a link home', async ({ page, authScreen }) => {
    await page.goto('/nowhere/at-all')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops!! Page not found')
    await page
      .getByRole('link', { name: 'Return Home' })
      .or(page.getByRole('button', { name: 'Return Home' }))
      .click()
    await expect(authScreen.heading('Welcome back')).toBeVisible()
    await expect(page).toHaveURL('/')
  })
})

test.describe('the callback of X', () => {
  test('shows "Completing sign in..." until the sign-in has succeeded or failed', async ({
    page,
    consoleWatch,
  }) => {
    consoleWatch.announce(/^status 403: \/auth\/v1\/user/, /^console\.error/)
    await page.route('**/auth/v1/user', async (route) => {
      await page.getByRole('heading', { name: 'Completing sign in...' }).waitFor()
      await route.continue()
    })
    await page.addInitScript(() => localStorage.setItem('intercede-redirected-to-x', String(Date.now())))
    await page.goto('/auth/callback#access_token=a.b.c&refresh_token=r&expires_in=3600&token_type=bearer')
    await expect(page.getByRole('heading', { name: 'Authentication Failed' })).toBeVisible()
  })

  test('without a session shows that it failed, with a link back', async ({ page, authScreen }) => {
    await page.goto('/auth/callback')
    await expect(page.getByRole('heading', { name: 'Authentication Failed' })).toBeVisible()
    await expect(page.getByRole('main')).toContainText('Authentication failed. Please try again.')
    await authScreen.backToLogin.click()
    await expect(authScreen.heading('Welcome back')).toBeVisible()
  })

  test('explains a missing e-mail address', async ({ page, consoleWatch }) => {
    consoleWatch.announce(/^console\.error/)
    await page.goto(
      '/auth/callback?error=server_error&error_description=Error+getting+user+email+from+external+provider',
    )
    await expect(page.getByRole('main')).toContainText(
      'Unable to sign in. Please make sure you have an email address linked to your X/Twitter account and try again.',
    )
  })

  test('redirects a signed-in user to the dashboard', async ({ page, user, dashboard }) => {
    await user.addCategories('Family')
    await page.goto('/auth/callback')
    await expect(dashboard.title).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  })
})
