import type { SampleUsers } from './sample-users.ts'
import type { Scene, SceneContext } from './scene.ts'

/** The states of the answered prayers, and of recording an answer. */
export function answeredScenes(users: SampleUsers): readonly Scene[] {
  const { newcomer, thankful, many, longest, rightToLeft } = users
  return [
    { name: 'answered', user: thankful, run: open },
    { name: 'answered-empty', user: newcomer, run: openEmpty },
    { name: 'answered-many', windowOnly: true, user: many, run: open },
    { name: 'answered-longest', user: longest, run: open },
    { name: 'answered-right-to-left', user: rightToLeft, run: open },
    { name: 'answered-loading', user: thankful, run: load },
    { name: 'answered-edit', windowOnly: true, user: thankful, run: edit },
    { name: 'answered-offered', windowOnly: true, user: rightToLeft, run: resolve },
    { name: 'year', user: thankful, run: openYear },
    { name: 'year-empty', user: newcomer, run: openYear },
    { name: 'year-print', user: thankful, widths: [768], run: printYear },
    { name: 'answered-print', user: thankful, run: printBooklet },
  ]
}

async function open({ answered }: SceneContext): Promise<void> {
  await answered.open()
  await answered.entries.first().waitFor()
}

async function openEmpty({ answered }: SceneContext): Promise<void> {
  await answered.open()
  await answered.empty.waitFor()
}

async function load({ page, answered }: SceneContext): Promise<void> {
  await page.route('**/rest/v1/**', () => new Promise(() => {}))
  await answered.open()
  await page.getByText('Loading answered prayers...').waitFor()
}

async function edit(context: SceneContext): Promise<void> {
  await open(context)
  const entry = context.answered.entries.first()
  const more = entry.getByRole('button', { name: /^More for/ })
  if (await more.isVisible()) {
    await more.click()
    await context.page.getByRole('menuitem', { name: /answer/ }).click()
  } else await entry.getByRole('button', { name: /answer/ }).click()
  await context.answered.dialog.answer.waitFor()
}

/** Blocked, so that the data of the user stays as it is. */
async function resolve({ page, dashboard }: SceneContext): Promise<void> {
  await dashboard.open()
  await dashboard.rows.first().waitFor()
  await page.route('**/rest/v1/prayers?*', () => new Promise(() => {}))
  await dashboard.rows.first().getByTitle('Mark as resolved').click()
  await page.getByRole('button', { name: 'Record answer' }).waitFor()
}

async function openYear({ page }: SceneContext): Promise<void> {
  await page.goto(`/answered/${String(new Date().getFullYear())}`)
  await page.getByText(/was answered|were answered/).waitFor()
}

async function printYear(context: SceneContext): Promise<void> {
  await openYear(context)
  await context.page.emulateMedia({ media: 'print' })
}

async function printBooklet(context: SceneContext): Promise<void> {
  await open(context)
  await context.page.emulateMedia({ media: 'print' })
}
