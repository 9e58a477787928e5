import type { SampleUsers } from './sample-users.ts'
import type { Scene, SceneContext } from './scene.ts'

/** The states of today's page and of a prayer session, and the list of shortcuts. */
export function prayScenes(users: SampleUsers): readonly Scene[] {
  const { newcomer, typical, many, longest, rightToLeft, planned } = users
  return [
    { name: 'today', user: planned, run: openToday },
    { name: 'today-unplanned', user: typical, run: openToday },
    { name: 'today-ticked', user: planned, run: tickSome },
    { name: 'today-complete', user: typical, run: tickAll },
    { name: 'today-many', user: many, run: showForty },
    { name: 'today-longest', user: longest, run: openToday },
    { name: 'today-right-to-left', user: rightToLeft, run: openToday },
    { name: 'today-loading', user: typical, run: load },
    { name: 'today-choice', windowOnly: true, user: typical, run: choose },
    { name: 'today-first-category', user: newcomer, run: openEmpty },
    { name: 'pray-session', windowOnly: true, user: typical, run: showUpdates },
    { name: 'pray-session-planned', windowOnly: true, user: planned, run: begin },
    { name: 'pray-session-longest', windowOnly: true, user: longest, run: begin },
    { name: 'pray-session-update', windowOnly: true, user: typical, run: addUpdate },
    { name: 'pray-answered', windowOnly: true, user: typical, run: answer },
    { name: 'pray-amen', windowOnly: true, user: typical, run: reachAmen },
    { name: 'pray-shortcuts', windowOnly: true, user: typical, run: listShortcuts },
  ]
}

async function openToday({ pray }: SceneContext): Promise<void> {
  await pray.open()
  await pray.names.first().waitFor()
}

/** Blocks what would change the user's data. */
async function keepData({ page }: SceneContext): Promise<void> {
  for (const url of ['**/rest/v1/rpc/**', '**/rest/v1/prayers?id=*'])
    await page.route(url, () => new Promise(() => {}))
}

async function tickSome(context: SceneContext): Promise<void> {
  await keepData(context)
  await openToday(context)
  for (const index of [0, 1, 3]) await context.pray.names.nth(index).getByRole('button').click()
}

async function tickAll(context: SceneContext): Promise<void> {
  await keepData(context)
  await openToday(context)
  await context.pray.change.click()
  await context.pray.number('5').check({ force: true })
  await context.pray.category('Family').check({ force: true })
  await context.pray.choiceSheet.getByRole('button', { name: 'Done' }).click()
  const count = await context.pray.names.count()
  for (let index = 0; index < count; index += 1)
    await context.pray.names.nth(index).getByRole('button').click()
  await context.page.getByText('You have prayed for everyone').waitFor()
}

async function showForty(context: SceneContext): Promise<void> {
  await keepData(context)
  await openToday(context)
  await context.pray.change.click()
  await context.pray.number('All').check({ force: true })
  for (const circle of [2, 3, 4, 5])
    await context.pray.category(`Circle ${String(circle)}`).check({ force: true })
  await context.page.keyboard.press('Escape')
  for (const index of [0, 1, 2, 5, 7]) await context.pray.names.nth(index).getByRole('button').click()
}

async function choose(context: SceneContext): Promise<void> {
  await openToday(context)
  await context.pray.change.click()
  await context.pray.choiceSheet.waitFor()
}

async function load({ page, pray }: SceneContext): Promise<void> {
  await page.route('**/rest/v1/**', () => new Promise(() => {}))
  await pray.open()
  await page.getByText('Loading prayers...').waitFor({ state: 'attached' })
}

async function openEmpty({ page, pray }: SceneContext): Promise<void> {
  await pray.open()
  await page.getByRole('group', { name: 'Suggested categories' }).waitFor()
}

async function begin(context: SceneContext): Promise<void> {
  await openToday(context)
  await context.pray.begin.click()
  await context.pray.name.waitFor()
}

/** The second prayer has a note and updates. */
async function showUpdates(context: SceneContext): Promise<void> {
  await begin(context)
  await context.pray.skip.click()
}

async function addUpdate(context: SceneContext): Promise<void> {
  await begin(context)
  await context.pray.addUpdate.click()
  await context.pray.updateText.fill('The operation went well. She may go home on Friday.')
}

async function answer(context: SceneContext): Promise<void> {
  await keepData(context)
  await begin(context)
  await context.pray.answered.click()
  await context.pray.answer.fill('They spoke on the telephone, for the first time since March.')
}

async function reachAmen(context: SceneContext): Promise<void> {
  await keepData(context)
  await begin(context)
  await context.pray.prayed.click()
  await context.page.getByText('2 of 5').waitFor()
  for (let skipped = 0; skipped < 4; skipped += 1) await context.page.keyboard.press('s')
  await context.pray.amen.waitFor()
}

async function listShortcuts(context: SceneContext): Promise<void> {
  await openToday(context)
  // The key works once its chunk has been loaded, when the browser is idle.
  await context.navigation.menuButton.click()
  await context.page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await context.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
}
