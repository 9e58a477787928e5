import type { SampleUsers } from './sample-users.ts'
import type { Scene, SceneContext } from './scene.ts'

/** The page of a prayer. */
export function prayerScenes({
  typical,
  thankful,
  planned,
  longest,
  rightToLeft,
}: SampleUsers): readonly Scene[] {
  return [
    { name: 'prayer', user: planned, run: open('Clara Fontaine') },
    { name: 'prayer-many-updates', user: planned, run: open('Gran') },
    { name: 'prayer-paused', user: planned, run: open('Benedict') },
    { name: 'prayer-answered', user: thankful, run: openAnswered('Gran') },
    { name: 'prayer-longest', user: longest, run: open(/^Wolfe/) },
    { name: 'prayer-longest-answered', user: longest, run: openAnswered(/^The friends/) },
    { name: 'prayer-right-to-left', user: rightToLeft, run: open(/Sarah/) },
    { name: 'prayer-found', windowOnly: true, user: typical, run: find },
    { name: 'prayer-writing', user: planned, run: write },
    { name: 'prayer-share', windowOnly: true, user: planned, run: share },
    { name: 'prayer-delete', windowOnly: true, user: planned, run: confirmDelete },
    { name: 'prayer-unknown', user: typical, run: openUnknown },
  ]
}

function open(name: string | RegExp) {
  return async ({ dashboard, prayer }: SceneContext) => {
    await dashboard.open()
    await prayer.linkTo(name).first().click()
    await prayer.entries.first().waitFor()
    await prayer.page.waitForLoadState('networkidle')
  }
}

function openAnswered(name: string | RegExp) {
  return async ({ answered, prayer }: SceneContext) => {
    await answered.open()
    await prayer.linkTo(name).first().click()
    await prayer.entries.first().waitFor()
    await prayer.page.waitForLoadState('networkidle')
  }
}

async function find({ search, prayer }: SceneContext): Promise<void> {
  await search.goto()
  await search.field.fill('telephone')
  await search.open.result('Anna').click()
  await prayer.entries.first().waitFor()
}

async function write(context: SceneContext): Promise<void> {
  await open('Clara Fontaine')(context)
  await context.prayer.addUpdate.click()
  await context.prayer.newUpdate.fill('They can move in December.')
}

async function share(context: SceneContext): Promise<void> {
  await open('Clara Fontaine')(context)
  await context.prayer.share.click()
  await context.prayer.shareText.waitFor()
}

async function confirmDelete(context: SceneContext): Promise<void> {
  await open('Clara Fontaine')(context)
  await context.page.getByRole('button', { name: 'More', exact: true }).click()
  await context.page.getByRole('menuitem', { name: 'Delete' }).click()
  await context.page.getByRole('alertdialog').waitFor()
}

async function openUnknown({ page, prayer }: SceneContext): Promise<void> {
  await page.goto('/prayer/unknown')
  await prayer.notFound.waitFor()
}
