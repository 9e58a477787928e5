import type { Locator } from '@playwright/test'
import { expectAccessible } from './fixtures/accessibility.ts'
import { pauseClock } from './fixtures/pause-clock.ts'
import { expect, test } from './test.ts'

const NAMES = Array.from({ length: 20 }, (_, index) => `Person ${String(index + 1)}`)

test(
  'from sign-up to a list of 20 people takes at most eight taps and one paste; Undo takes everything back',
  { tag: '@small' },
  async ({ page, authScreen, dashboard }) => {
    let taps = 0
    const tap = async (target: Locator) => {
      taps += 1
      await target.tap()
    }
    const { dialog, list, add } = dashboard.addSeveral
    await page.clock.install()
    await authScreen.open('signup')
    await tap(authScreen.email)
    await page.keyboard.type('list@example.org')
    await tap(authScreen.password)
    await page.keyboard.type('a quiet hour')
    await tap(authScreen.createAccountButton)
    await tap(dashboard.addSeveralButton)
    await tap(dashboard.addSeveral.suggestion('Church'))
    await tap(list)
    await page.keyboard.insertText(NAMES.map((name) => `- ${name}: peace`).join('\n'))
    await expect(dialog.getByRole('listitem')).toHaveCount(20)
    await expectAccessible(page)
    await pauseClock(page)
    await tap(add)
    expect(taps).toBeLessThanOrEqual(8)
    await expect(dashboard.card('Church').rows).toHaveText(
      NAMES.map((name) => new RegExp(`^${name}\\s*peace`)),
    )

    await dashboard.undo.tap()
    await expect(dashboard.createFirstCategory).toBeVisible()
    await page.clock.resume()
  },
)
