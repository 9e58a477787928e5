import { beforeLists } from '#tests/e2e/fixtures/before-lists.ts'
import type { Cast } from './cast.ts'
import type { Scene, Stage } from './scene.ts'

/** Every state of the dashboard, its dialogs and the account menu. */
export function dashboardScenes({ newcomer, hider, typical, full, longest }: Cast): readonly Scene[] {
  return [
    { name: 'dashboard-welcome', person: newcomer, play: openWelcome },
    { name: 'dashboard-welcome-with-hidden', person: hider, play: openWelcome },
    { name: 'dashboard-loading', person: typical, play: openSlowly },
    { name: 'dashboard-fetch-failed', person: typical, play: openWithoutServer },
    { name: 'dashboard-typical', person: typical, play: openCards },
    { name: 'dashboard-resolved-shown', person: typical, play: showResolved },
    { name: 'dashboard-full', person: full, play: openCards },
    { name: 'dashboard-longest', person: longest, play: showResolved },
    { name: 'dashboard-banner', windowOnly: true, person: typical, play: failToResolve },
    { name: 'account-menu', windowOnly: true, person: typical, play: openMenu },
    { name: 'account-menu-longest', windowOnly: true, person: longest, play: openMenu },
    { name: 'prayer-add', windowOnly: true, person: typical, play: addPrayer },
    { name: 'prayer-add-without-name', windowOnly: true, person: typical, play: addWithoutName },
    { name: 'prayer-add-failed', windowOnly: true, person: typical, play: failToAdd },
    { name: 'prayer-edit', windowOnly: true, person: typical, play: editPrayer },
    { name: 'prayer-edit-longest', windowOnly: true, person: longest, play: editPrayer },
    { name: 'prayer-delete', windowOnly: true, person: typical, play: deletePrayer },
  ]
}

async function openCards({ dashboard }: Stage): Promise<void> {
  await dashboard.open()
  await dashboard.cards.first().waitFor()
  await dashboard.rows.first().waitFor()
}

async function openWelcome({ dashboard }: Stage): Promise<void> {
  await dashboard.open()
  await dashboard.welcomeCard.waitFor()
}

async function openSlowly({ page, server, dashboard }: Stage): Promise<void> {
  await beforeLists(page, () => server.pause())
  await dashboard.open()
  await page.getByText('Loading prayers...').first().waitFor()
}

async function openWithoutServer({ page, server, dashboard }: Stage): Promise<void> {
  await beforeLists(page, () => server.stop())
  await dashboard.open()
  await dashboard.banner.waitFor()
}

async function showResolved(stage: Stage): Promise<void> {
  await openCards(stage)
  await stage.page
    .getByRole('button', { name: /^Show Resolved/ })
    .first()
    .click()
}

async function failToResolve(stage: Stage): Promise<void> {
  await openCards(stage)
  await stage.server.stop()
  await stage.page.getByTitle('Mark as resolved').first().click()
  await stage.dashboard.banner.waitFor()
}

async function openMenu(stage: Stage): Promise<void> {
  await openCards(stage)
  await stage.navigation.menuButton.click()
  await stage.navigation.menu.waitFor()
}

async function addPrayer(stage: Stage): Promise<void> {
  await openCards(stage)
  await stage.dashboard.cards
    .first()
    .getByRole('button', { name: /^Add Prayer/ })
    .click()
  await stage.dashboard.prayerDialog.root.waitFor()
}

async function addWithoutName(stage: Stage): Promise<void> {
  await addPrayer(stage)
  await stage.dashboard.prayerDialog.addButton.click()
  await stage.dashboard.prayerDialog.error.first().waitFor()
}

async function failToAdd(stage: Stage): Promise<void> {
  await addPrayer(stage)
  await stage.dashboard.prayerDialog.name.fill('Miriam')
  await stage.dashboard.prayerDialog.details.fill('Strength for the night shifts.')
  await stage.server.stop()
  await stage.dashboard.prayerDialog.addButton.click()
  await stage.dashboard.prayerDialog.error.first().waitFor()
}

async function editPrayer(stage: Stage): Promise<void> {
  await openCards(stage)
  await stage.page.getByTitle('Edit prayer').first().click()
  await stage.dashboard.prayerDialog.root.waitFor()
}

async function deletePrayer(stage: Stage): Promise<void> {
  await openCards(stage)
  await stage.page.getByTitle('Delete prayer').first().click()
  await stage.dashboard.confirmDialog.root.waitFor()
}
