import { beforeLists } from '#tests/e2e/fixtures/before-lists.ts'
import type { SampleUsers } from './sample-users.ts'
import type { Scene, SceneContext } from './scene.ts'

/** The states of the dashboard, its dialogs and the account menu. */
export function dashboardScenes({
  newcomer,
  typical,
  many,
  longest,
  rightToLeft,
}: SampleUsers): readonly Scene[] {
  return [
    { name: 'dashboard-welcome', user: newcomer, run: openWelcome },
    { name: 'dashboard-loading', user: typical, run: showLoading },
    { name: 'dashboard-fetch-failed', user: typical, run: failToFetch },
    { name: 'dashboard-typical', user: typical, run: openCards },
    { name: 'dashboard-resolved-shown', user: typical, run: showResolved },
    { name: 'dashboard-many', user: many, run: openCards },
    { name: 'dashboard-longest', user: longest, run: showResolved },
    { name: 'dashboard-right-to-left', user: rightToLeft, run: showResolved },
    { name: 'dashboard-print', user: typical, widths: [768], run: print },
    { name: 'dashboard-unsaved', windowOnly: true, user: typical, run: leaveUnsaved },
    { name: 'dashboard-resolved-toast', windowOnly: true, user: typical, run: resolve },
    { name: 'jump-menu', windowOnly: true, user: many, run: openJumpMenu },
    { name: 'dashboard-banner', windowOnly: true, user: typical, run: failToResolve },
    { name: 'account-menu', windowOnly: true, user: typical, run: openMenu },
    { name: 'account-menu-longest', windowOnly: true, user: longest, run: openMenu },
    { name: 'prayer-add', windowOnly: true, user: typical, run: addPrayer },
    { name: 'prayer-add-without-name', windowOnly: true, user: typical, run: addWithoutName },
    { name: 'prayer-edit', windowOnly: true, user: typical, run: editPrayer },
    { name: 'prayer-add-shared', windowOnly: true, user: typical, run: offerSharedText },
    { name: 'prayer-saved', windowOnly: true, user: typical, run: showSaved },
    { name: 'add-several', windowOnly: true, user: typical, run: addSeveral },
    { name: 'add-several-errors', windowOnly: true, user: typical, run: addWithErrors },
    { name: 'prayer-delete', windowOnly: true, user: typical, run: openDeleteDialog },
  ]
}

async function openCards({ dashboard }: SceneContext): Promise<void> {
  await dashboard.open()
  await dashboard.cards.first().waitFor()
  await dashboard.rows.first().waitFor()
}

async function openWelcome({ dashboard }: SceneContext): Promise<void> {
  await dashboard.open()
  await dashboard.welcomeCard.waitFor()
}

async function showLoading({ page, dashboard }: SceneContext): Promise<void> {
  await page.route('**/rest/v1/**', () => new Promise(() => undefined))
  await dashboard.open()
  await page.getByText('Loading prayers...').first().waitFor()
}

async function failToFetch({ page, server, dashboard }: SceneContext): Promise<void> {
  await beforeLists(page, 'Loading prayers...', () => server.stop())
  await dashboard.open()
  await dashboard.banner.waitFor()
}

async function showResolved(context: SceneContext): Promise<void> {
  await openCards(context)
  await context.page
    .getByRole('button', { name: /^Show Resolved/ })
    .first()
    .click()
}

async function failToResolve(context: SceneContext): Promise<void> {
  await openCards(context)
  // As if the prayer had been deleted on another device.
  await context.page.route('**/rest/v1/prayers*', (route) => route.fulfill({ json: [] }))
  await context.page.getByTitle('Mark as resolved').first().click()
  await context.dashboard.banner.waitFor()
}

async function openMenu(context: SceneContext): Promise<void> {
  await openCards(context)
  await context.navigation.menuButton.click()
  await context.navigation.menu.waitFor()
}

async function addPrayer(context: SceneContext): Promise<void> {
  await openCards(context)
  await context.dashboard.cards
    .first()
    .getByRole('button', { name: /^Add Prayer/ })
    .click()
  await context.dashboard.prayerDialog.root.waitFor()
}

async function addWithoutName(context: SceneContext): Promise<void> {
  await addPrayer(context)
  await context.dashboard.prayerDialog.addButton.click()
  await context.dashboard.prayerDialog.error.first().waitFor()
}

async function editPrayer(context: SceneContext): Promise<void> {
  await openCards(context)
  await context.page.getByTitle('Edit prayer').first().click()
  await context.dashboard.prayerDialog.root.waitFor()
}

/** The dialog after a prayer was saved and before another one is added, without saving anything. */
async function showSaved(context: SceneContext): Promise<void> {
  await addPrayer(context)
  await context.page.route('**/rest/v1/prayers*', () => new Promise(() => {}))
  await context.dashboard.prayerDialog.name.fill('Miriam')
  await context.page.getByRole('button', { name: 'Save and add another' }).click()
  await context.page.getByText('Miriam was added to').waitFor()
}

const LIST = `1. Miriam
2. Boaz: a new job, and patience until then
3. Mr and Mrs Clark: their move to Leeds

4. Sister Agnes: her knees https://example.org/agnes`

async function addSeveral(context: SceneContext): Promise<void> {
  await addPrayer(context)
  await context.dashboard.addSeveralButton.click()
  await context.dashboard.addSeveral.list.fill(LIST)
}

async function addWithErrors(context: SceneContext): Promise<void> {
  await addPrayer(context)
  await context.dashboard.addSeveralButton.click()
  await context.dashboard.addSeveral.list.fill(`Miriam\n: patience\n${'very long '.repeat(30)}`)
  await context.dashboard.addSeveral.add.click()
  await context.dashboard.prayerDialog.error.first().waitFor()
}

async function openDeleteDialog(context: SceneContext): Promise<void> {
  await openCards(context)
  await context.page.getByTitle('Delete prayer').first().click()
  await context.dashboard.confirmDialog.root.waitFor()
}

async function print(context: SceneContext): Promise<void> {
  await showResolved(context)
  await context.page.emulateMedia({ media: 'print' })
}

async function leaveUnsaved(context: SceneContext): Promise<void> {
  await addPrayer(context)
  await context.dashboard.prayerDialog.name.fill('Miriam')
  await context.page.reload()
  await context.page.getByRole('button', { name: 'Bring it back' }).waitFor()
}

async function offerSharedText({ page, dashboard }: SceneContext): Promise<void> {
  await dashboard.open()
  const text = `Prayer chain\n${'Please pray for Ruth, who is in hospital again. '.repeat(9)}`
  const stored = JSON.stringify(JSON.stringify([{ text, userId: null }]))
  await page.evaluate(`sessionStorage.setItem('intercede-shared-texts', ${stored})`)
  await dashboard.cards
    .first()
    .getByRole('button', { name: /^Add Prayer/ })
    .click()
  await dashboard.prayerDialog.root.getByRole('button', { name: 'Use it' }).waitFor()
}

/** Without sending it, so that the prayer stays open on the server. */
async function resolve(context: SceneContext): Promise<void> {
  await context.page.route('**/rest/v1/prayers*', (route) =>
    route.request().method() === 'GET' ? route.continue() : new Promise(() => undefined),
  )
  await openCards(context)
  await context.page.getByTitle('Mark as resolved').first().click()
  await context.dashboard.undo.waitFor()
}

async function openJumpMenu(context: SceneContext): Promise<void> {
  await openCards(context)
  await context.page.getByRole('button', { name: 'Jump to' }).click()
  await context.navigation.menu.waitFor()
}
