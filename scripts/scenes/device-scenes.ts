import { rejectedChangesSheetOf } from '#tests/e2e/screens/rejected-changes-sheet.ts'
import type { SampleUsers } from './sample-users.ts'
import type { Scene, SceneContext } from './scene.ts'

/** What the app shows about the connection, about what is kept on the device, and about what could not be saved. */
export function deviceScenes({ typical, longest }: SampleUsers): readonly Scene[] {
  return [
    { name: 'offline', windowOnly: true, user: typical, run: goOffline },
    { name: 'changes-waiting', windowOnly: true, user: typical, run: waitToSend },
    { name: 'sign-out-unsent', windowOnly: true, user: typical, run: signOutWithUnsentChanges },
    { name: 'keep-nothing', user: typical, run: keepNothing },
    { name: 'rejected', windowOnly: true, user: typical, run: rejectPrayer },
    { name: 'rejected-sheet', windowOnly: true, user: typical, run: openSheet },
    { name: 'rejected-sheet-longest', windowOnly: true, user: longest, run: openSheetWithLongTexts },
    { name: 'session-ended', user: typical, run: endSession },
    { name: 'install', windowOnly: true, user: typical, run: offerInstallation },
  ]
}

async function openCards({ dashboard }: SceneContext): Promise<void> {
  await dashboard.open()
  await dashboard.rows.first().waitFor()
}

async function goOffline(context: SceneContext): Promise<void> {
  await openCards(context)
  await context.page.context().setOffline(true)
  await context.page.getByText('You are offline.').waitFor()
}

async function waitToSend(context: SceneContext): Promise<void> {
  await goOffline(context)
  await context.page.getByTitle('Mark as resolved').first().click()
  await context.page.getByRole('button', { name: /1 change waiting/ }).waitFor()
}

async function signOutWithUnsentChanges(context: SceneContext): Promise<void> {
  await goOffline(context)
  await context.page.getByTitle('Mark as resolved').first().click()
  await context.navigation.signOut()
  await context.page.getByRole('alertdialog').waitFor()
}

async function keepNothing({ page, settings }: SceneContext): Promise<void> {
  await settings.open('on-this-device')
  await page.getByText(/stored in this browser/).waitFor()
  await page.getByLabel('Keep nothing on this device').check()
  await page.getByText(/^Nothing is stored on this device/).waitFor()
}

/** Adds a prayer that a server rejects because its category has been deleted. */
async function rejectPrayer(context: SceneContext): Promise<void> {
  const { page, dashboard, navigation } = context
  await page.route('**/rest/v1/prayers*', async (route) => {
    if (route.request().method() === 'GET') return route.continue()
    const message =
      'insert or update on table "prayers" violates foreign key constraint "prayers_category_owner_fkey"'
    return route.fulfill({ status: 409, json: { code: '23503', message, details: null, hint: null } })
  })
  await openCards(context)
  const card = dashboard.cards.first()
  await card.getByRole('button', { name: /^Add Prayer/ }).click()
  await dashboard.prayerDialog.name.fill('Miriam')
  await dashboard.prayerDialog.details.fill('Strength for the night shifts, and a day off in Advent.')
  await dashboard.prayerDialog.addButton.click()
  await navigation.couldNotBeSaved.waitFor()
  await dashboard.prayerDialog.root.waitFor({ state: 'hidden' })
}

async function openSheet(context: SceneContext): Promise<void> {
  await rejectPrayer(context)
  await context.navigation.couldNotBeSaved.click()
  await rejectedChangesSheetOf(context.page).entries.first().waitFor()
}

/** A server rejects every change. */
async function rejectAll({ page }: SceneContext): Promise<void> {
  const message = 'Your account is full: at most 5,000 prayers. Please delete something first.'
  await page.route(/rest\/v1\/(prayers|categories)/, (route) =>
    route.request().method() === 'GET'
      ? route.continue()
      : route.fulfill({ status: 413, json: { code: 'PT413', message, details: null, hint: null } }),
  )
}

async function openSheetWithLongTexts(context: SceneContext): Promise<void> {
  const { page, dashboard, navigation } = context
  await rejectAll(context)
  await openCards(context)
  await page.getByTitle('Edit prayer').first().click()
  const { details } = dashboard.prayerDialog
  await details.fill(`${await details.inputValue()} And for Thursday.`)
  await dashboard.prayerDialog.updateButton.click()
  await navigation.couldNotBeSaved.click()
  await rejectedChangesSheetOf(page).entries.first().waitFor()
}

/** A change waits to be sent when the server ends the session. */
async function endSession(context: SceneContext): Promise<void> {
  const { page, authScreen } = context
  await waitToSend(context)
  await page.evaluate(`{
    const session = JSON.parse(localStorage.getItem('supabase-auth'))
    localStorage.setItem('supabase-auth', JSON.stringify({ ...session, expires_at: 1 }))
  }`)
  await page.route('**/auth/v1/token*', (route) =>
    route.fulfill({
      status: 400,
      json: { code: 400, error_code: 'session_not_found', msg: 'Session not found' },
    }),
  )
  await page.context().setOffline(false)
  await page.reload()
  await authScreen.email.waitFor()
  await page.getByText('Changes that are not saved yet').waitFor()
}

/** The browser sends the event only to windows with an address bar. */
async function offerInstallation(context: SceneContext): Promise<void> {
  await openCards(context)
  await context.page.evaluate(
    `dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt: async () => {} }))`,
  )
  await context.navigation.menuButton.click()
  await context.page.getByRole('menuitem', { name: 'Install the app' }).waitFor()
}
