import type { SampleUsers } from './sample-users.ts'
import type { Scene, SceneContext } from './scene.ts'

/** The states of the Pray screen and of a prayer session, and the list of shortcuts. */
export function prayScenes({ newcomer, typical, many, longest }: SampleUsers): readonly Scene[] {
  return [
    { name: 'pray-start', user: typical, run: openStart },
    { name: 'pray-start-unfinished', user: typical, run: leaveSession },
    { name: 'pray-start-many', user: many, run: openStart },
    { name: 'pray-start-longest', user: longest, run: openStart },
    { name: 'pray-empty', user: newcomer, run: openEmpty },
    { name: 'pray-session', windowOnly: true, user: typical, run: showUpdates },
    { name: 'pray-session-name-only', windowOnly: true, user: typical, run: begin },
    { name: 'pray-session-longest', windowOnly: true, user: longest, run: begin },
    { name: 'pray-session-update', windowOnly: true, user: typical, run: addUpdate },
    { name: 'pray-amen', windowOnly: true, user: typical, run: reachAmen },
    { name: 'pray-shortcuts', windowOnly: true, user: typical, run: listShortcuts },
  ]
}

async function openStart({ pray }: SceneContext): Promise<void> {
  await pray.open()
  await pray.begin.waitFor()
}

async function openEmpty({ page, pray }: SceneContext): Promise<void> {
  await pray.open()
  await page.getByRole('link', { name: 'Add a prayer' }).waitFor()
}

async function begin(context: SceneContext): Promise<void> {
  await openStart(context)
  await context.pray.begin.click()
  await context.pray.name.waitFor()
}

async function leaveSession(context: SceneContext): Promise<void> {
  await begin(context)
  await context.pray.skip.click()
  await context.pray.done.click()
  await context.pray.continueSession.waitFor()
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

async function reachAmen(context: SceneContext): Promise<void> {
  await begin(context)
  await context.pray.prayed.click()
  await context.page.getByText('2 of 5').waitFor()
  for (let skipped = 0; skipped < 4; skipped += 1) await context.page.keyboard.press('s')
  await context.pray.amen.waitFor()
}

async function listShortcuts(context: SceneContext): Promise<void> {
  await openStart(context)
  // The key works once its chunk has been loaded, when the browser is idle.
  await context.navigation.menuButton.click()
  await context.page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await context.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
}
