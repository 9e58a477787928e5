import type { Locator, Page } from '@playwright/test'
import { expect, test } from './test.ts'

const overflowOf = (page: Page) =>
  page.evaluate('document.documentElement.scrollHeight - document.documentElement.clientHeight')

test('login fits into a window of 1280 x 800, with its background, also after a wrong password', async ({
  page,
  newUser,
  authScreen,
  consoleWatch,
}) => {
  consoleWatch.announce(/^status 400: \/auth\/v1\/token/, /^console\.error/)
  const { email } = await newUser()
  await page.clock.setFixedTime(new Date('2025-11-22T12:00:00Z'))
  await authScreen.open()
  await expect(authScreen.signInWithX).toBeVisible()
  await expect(authScreen.email).toBeFocused()
  await expect(page.getByRole('banner')).toContainText('Intercede')
  await expect(page.getByRole('contentinfo')).toContainText('2025')
  await expect(page.locator('.dawn-landscape')).toHaveCSS('background-image', /^url\(.+\)$/)
  expect(await overflowOf(page)).toBe(0)

  await authScreen.signIn(email, 'not my password')
  await expect(authScreen.error).toContainText('Invalid login credentials')
  await expect(authScreen.email).toHaveValue(email)
  await expect(authScreen.password).toHaveValue('not my password')
  expect(await overflowOf(page)).toBe(0)
})

test(
  'a first visit fits into a phone of 375 x 740, and offers an account as prominently as sign-in',
  { tag: '@small' },
  async ({ page, authScreen }) => {
    await authScreen.open()
    await expect(page.getByRole('listitem')).toHaveCount(3)
    const colour = await authScreen.signInButton.evaluate(
      (button) => getComputedStyle(button).backgroundColor,
    )
    await expect(authScreen.toSignUp).toHaveCSS('background-color', colour)
    expect(await overflowOf(page)).toBe(0)
  },
)

test('links in texts have an area as high as a finger', { tag: '@small' }, async ({ page, authScreen }) => {
  await authScreen.open()
  const tapBeside = async (link: Locator) => {
    const { x = 0, y = 0, height = 0 } = (await link.boundingBox()) ?? {}
    await page.touchscreen.tap(x + 10, y + height / 2 - 20)
  }
  await tapBeside(authScreen.toSignUp)
  await expect(authScreen.heading('Create account')).toBeVisible()
  await expect(authScreen.email, 'no keyboard covers the screen').not.toBeFocused()
  await tapBeside(authScreen.toLogin)
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await tapBeside(authScreen.forgotPassword)
  await expect(authScreen.heading('Reset your password')).toBeVisible()
})
