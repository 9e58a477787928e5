import type { SampleUsers } from './sample-users.ts'
import type { Scene, SceneContext } from './scene.ts'

/** Dates and pauses, in the rows of the dashboard and in the prayer dialog. */
export function plannedScenes({ planned }: SampleUsers): readonly Scene[] {
  return [
    { name: 'planned-dashboard', user: planned, run: openRows },
    { name: 'planned-open', windowOnly: true, user: planned, run: edit('Daniel', showSchedule) },
    { name: 'planned-longest', windowOnly: true, user: planned, run: edit('Wolfe', showEnd) },
    { name: 'planned-right-to-left', windowOnly: true, user: planned, run: edit('Sarah', showEnd) },
  ]
}

async function openRows({ page, dashboard }: SceneContext): Promise<void> {
  await dashboard.open()
  await page
    .getByText(/Updated/)
    .first()
    .waitFor()
}

function edit(name: string, then: (context: SceneContext) => Promise<void>) {
  return async (context: SceneContext) => {
    await openRows(context)
    await context.dashboard.rows.filter({ hasText: name }).getByTitle('Edit prayer').click()
    await context.dashboard.prayerDialog.root.waitFor()
    await then(context)
  }
}

const whenToPray = ({ dashboard }: SceneContext) =>
  dashboard.prayerDialog.root.getByRole('button', { name: /^When to pray/ })

async function showSchedule({ dashboard }: SceneContext): Promise<void> {
  const { root } = dashboard.prayerDialog
  await root.getByLabel('On a specific date', { exact: true }).fill('2026-11-26')
  await root.getByLabel('Pause until', { exact: true }).scrollIntoViewIfNeeded()
}

async function showEnd(context: SceneContext): Promise<void> {
  await whenToPray(context).scrollIntoViewIfNeeded()
}
