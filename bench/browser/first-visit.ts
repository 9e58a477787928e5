import type { Browser } from '@playwright/test'
import { emailOf } from '../fixed-data.ts'
import { PASSWORD } from '../sessions.ts'
import { FIRST_PRAYERS } from './second-visit.ts'
import { openSlowPage, slowDownLine, SLOW_DOWN, withPhone } from './slow-device.ts'

/** A first visit by somebody who signs in, on a slow device and slow 3G, in milliseconds. */
export interface FirstVisit {
  /** From the start of the visit until the sign-in form was painted and input would be handled. */
  form: number
  /**
   * From pressing Sign In until the first prayers were painted and input would be handled; in an encrypted account, without the time between
   * seeing that the prayer key is needed and having typed it.
   */
  prayers: number
}

const WATCH_VISIT = `
  window.usable = (selector) => new Promise((resolve) => {
    const finish = () => resolve(performance.now())
    const look = () => {
      if (document.querySelector(selector)) setTimeout(finish)
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  addEventListener('submit', () => { window.pressed = performance.now() }, true)`

/**
 * Signs in as soon as that is possible, as with a password manager: what typing takes could only hide how long something loads.
 *
 * @param key the prayer key, if the account is encrypted
 */
export async function timeFirstVisit(
  browser: Browser,
  origin: string,
  user: number,
  key: string | null = null,
): Promise<FirstVisit> {
  // The requests of a service worker are not slowed down, and it would have stored files before the line could have brought them.
  return await withPhone(browser, { serviceWorkers: 'block' }, async (phone) => {
    const { page, session } = await openSlowPage(phone, { slowDown: SLOW_DOWN, watch: WATCH_VISIT })
    await slowDownLine(session)
    await page.goto(origin, { waitUntil: 'commit' })
    const form = await page.evaluate<number>(`usable('button[type=submit]:enabled')`)
    await page.locator('input[type=email]').fill(emailOf(user))
    await page.locator('input[type=password]').fill(PASSWORD)
    // A mouse over the dashboard would have it load its dialogs.
    await page.locator('button[type=submit]').tap()
    const timeUntil = (selector: string) =>
      page.evaluate<number>(`usable('${selector}').then((shown) => shown - pressed)`)
    let asked = 0
    if (key !== null) {
      asked = await timeUntil('input[name=key]')
      // Nobody types faster. Meanwhile, more arrives.
      await page.locator('input[name=key]').pressSequentially(key, { delay: 100 })
      await page.getByRole('button', { name: 'Continue' }).tap()
    }
    return { form, prayers: asked + (await timeUntil(FIRST_PRAYERS)) }
  })
}
