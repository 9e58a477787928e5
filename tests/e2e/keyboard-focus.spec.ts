import type { Page } from '@playwright/test'
import { expect, test } from './test.ts'

/** What the browser focuses with Tab: of radio buttons, the one that is chosen. */
const CONTROLS =
  'a[href], button:enabled, summary, input:enabled:not([type="radio"]:not(:checked)), select:enabled, textarea:enabled, [tabindex="0"]'

/** The names of the controls that can be seen, in the order of the page. */
async function controlsOf(page: Page): Promise<readonly string[]> {
  return page.locator(CONTROLS).evaluateAll((elements) =>
    elements
      .filter((element) => element instanceof HTMLElement && element.tabIndex >= 0)
      .filter(
        (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert]'),
      )
      .map((element) => element.outerHTML),
  )
}

/** The control that has the focus; null if none has. */
async function focused(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!element || element === document.body) return null
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element)
    const ring = parseFloat(outlineWidth) + parseFloat(outlineOffset)
    const { top, right, bottom, left, width, height } = element.getBoundingClientRect()
    const isInView =
      top >= ring &&
      left >= ring &&
      right + ring <= document.documentElement.clientWidth &&
      bottom + ring <= innerHeight
    const atCentre = document.elementFromPoint(left + width / 2, top + height / 2)
    const isCovered = !atCentre || !(element.contains(atCentre) || atCentre.contains(element))
    return { html: element.outerHTML, hasRing: outlineStyle !== 'none', isInView, isCovered }
  })
}

/** Presses Tab from the first control on, until the focus leaves the page or starts over: browsers differ. */
async function expectControlsInOrder(page: Page): Promise<void> {
  const controls = await controlsOf(page)
  expect(controls.length).toBeGreaterThan(4)
  // Some screens have given the focus to a field.
  await page.locator(CONTROLS).first().focus()
  for (const html of controls) {
    await expect.poll(() => focused(page)).toEqual({ html, hasRing: true, isInView: true, isCovered: false })
    await page.keyboard.press('Tab')
  }
  expect([undefined, controls[0]]).toContain((await focused(page))?.html)
}

test.describe(
  'Tab reaches every control, in the order of the page and with a ring that is in view',
  { tag: '@every-width' },
  () => {
    test('for guests', async ({ page }) => {
      for (const path of ['/', '/?mode=signup', '/?mode=reset', '/auth/callback#error=x', '/no-such-page']) {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expectControlsInOrder(page)
      }
    })

    test('for signed-in users', async ({ page, user }) => {
      await user.addCategory('Family', { name: 'Anna', note: 'Peace' }, { name: 'Ben', resolved: true })
      await user.addCategory('Friends', ...['Clara', 'Daniel', 'Esther', 'Fritz'].map((name) => ({ name })))
      // Each screen is complete when it shows this text.
      for (const [path, text] of [
        ['/dashboard', 'Show Resolved (1)'],
        ['/manage-categories', '4 prayers'],
        ['/settings/profile', 'Change password'],
        ['/settings/appearance', 'Open with'],
        ['/settings/reminders', 'Add a reminder'],
        ['/settings/devices', 'This device'],
        ['/settings/on-this-device', '6 prayers and 2 categories'],
        ['/settings/your-data', 'Delete my account'],
      ] as const) {
        await page.goto(path)
        await expect(page.getByRole('main')).toContainText(text)
        await expectControlsInOrder(page)
      }
    })
  },
)
