import { DASHBOARD_BUDGET, SIGN_IN_BUDGET, weighVisit } from './page-weight.ts'
import { expect, test } from './test.ts'

test.describe('page weight', () => {
  test('a first visit to the sign-in screen stays within its budget and requests no other host', async ({
    page,
    authScreen,
  }) => {
    const weight = await weighVisit(page, async () => {
      await authScreen.open()
      await expect(authScreen.signInButton).toBeEnabled()
    })
    expect.soft(weight.script, 'bytes of JavaScript').toBeLessThanOrEqual(SIGN_IN_BUDGET.script)
    expect.soft(weight.style, 'bytes of style sheets').toBeLessThanOrEqual(SIGN_IN_BUDGET.style)
    expect.soft(weight.font, 'bytes of fonts').toBeLessThanOrEqual(SIGN_IN_BUDGET.font)
    expect.soft(weight.requests, 'requests').toBeLessThanOrEqual(SIGN_IN_BUDGET.requests)
    expect(weight.foreign).toEqual([])
    expect(weight.script, 'the page was measured').toBeGreaterThan(SIGN_IN_BUDGET.script / 2)
  })

  test('a first visit to the dashboard stays within its budget and requests no other host', async ({
    page,
    user,
    dashboard,
  }) => {
    await user.addCategory('Family', { name: 'Anna' })
    const weight = await weighVisit(page, async () => {
      await dashboard.open()
      await expect(dashboard.card('Family').row('Anna').root).toBeVisible()
    })
    expect.soft(weight.script, 'bytes of JavaScript').toBeLessThanOrEqual(DASHBOARD_BUDGET.script)
    expect(weight.foreign).toEqual([])
    expect(weight.script, 'the page was measured').toBeGreaterThan(DASHBOARD_BUDGET.script / 2)
  })
})
