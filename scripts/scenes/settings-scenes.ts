import type { User } from '#tests/e2e/fixtures/user.ts'
import type { SampleUsers } from './sample-users.ts'
import type { Scene, SceneContext } from './scene.ts'

/** The pages of the settings, and the flash message after deleting the account. */
export function settingsScenes({ typical }: SampleUsers): readonly Scene[] {
  return [
    { name: 'settings', widths: [375], user: typical, run: openList },
    { name: 'settings-profile', user: typical, run: openPage('profile', 'Change password') },
    { name: 'settings-profile-forms', user: typical, run: openForms },
    { name: 'settings-appearance', user: typical, run: openPage('appearance', 'Open with') },
    { name: 'settings-reminders', user: typical, run: openReminders(typical) },
    { name: 'settings-devices', user: typical, run: openPage('devices', 'This device') },
    { name: 'your-data', user: typical, run: open },
    { name: 'your-data-export-offline', user: typical, run: exportOffline },
    { name: 'your-data-import-preview', user: typical, run: previewNewFile },
    { name: 'your-data-import-invalid', user: typical, run: chooseInvalidFile },
    { name: 'your-data-delete', windowOnly: true, user: typical, run: openDeleteDialog },
    { name: 'your-data-delete-error', windowOnly: true, user: typical, run: failToDelete },
    { name: 'account-deleted', windowOnly: true, run: deleteAccount },
  ]
}

async function openList({ settings }: SceneContext): Promise<void> {
  await settings.open()
  await settings.heading('Settings').waitFor()
}

/** @param text shown when the page is complete */
function openPage(name: string, text: string): Scene['run'] {
  return async ({ page, settings }) => {
    await settings.open(name)
    await page.getByRole('main').getByText(text).first().waitFor()
  }
}

async function openForms(context: SceneContext): Promise<void> {
  await openPage('profile', 'Change password')(context)
  await context.page.getByRole('button', { name: 'Change email address' }).click()
  await context.page.getByRole('button', { name: 'Send link' }).click()
  await context.page.getByRole('button', { name: 'Change password' }).click()
}

/** One that this browser cannot show, and a form. */
const openReminders = (user: User) => async (context: SceneContext) => {
  const { page } = context
  await openPage('reminders', 'Add a reminder')(context)
  // The user keeps it for the next size.
  if ((await page.getByRole('button', { name: 'Edit' }).count()) === 0) {
    await user.addReminder()
    await page.reload()
    await page.getByRole('button', { name: 'Edit' }).waitFor()
  }
  await page.getByRole('button', { name: 'Add a reminder' }).click()
}

async function open({ yourData }: SceneContext): Promise<void> {
  await yourData.open()
  await yourData.title.waitFor()
}

async function exportOffline(context: SceneContext): Promise<void> {
  await open(context)
  await context.server.stop()
  await context.yourData.saveDataFile.click()
  await context.page.getByText('are not in the file').waitFor()
}

async function previewNewFile(context: SceneContext): Promise<void> {
  await open(context)
  const { text } = await context.yourData.saved(context.yourData.saveDataFile)
  // With other ids and names, as if exported from another account.
  const others = text.replaceAll(
    /"id": "........|"category_id": "......../g,
    (id) => `${id.slice(0, -8)}00000000`,
  )
  await context.yourData.choose(others.replaceAll('"person_name": "', '"person_name": "The family of '))
  await context.yourData.importButton.waitFor()
}

async function chooseInvalidFile(context: SceneContext): Promise<void> {
  await open(context)
  const { text } = await context.yourData.saved(context.yourData.saveDataFile)
  await context.yourData.choose(text.replace('"person_name": "Gran"', '"person_name": " "'))
  await context.yourData.error.waitFor()
}

async function openDeleteDialog(context: SceneContext): Promise<void> {
  await open(context)
  await context.yourData.deleteButton.click()
  await context.yourData.deletion.root.waitFor()
}

async function failToDelete(context: SceneContext): Promise<void> {
  await openDeleteDialog(context)
  await context.yourData.deletion.password.fill('not my password')
  await context.yourData.deletion.confirm.click()
  await context.yourData.deletion.error.waitFor()
}

let deletedAccounts = 0

/** Deletes a new account, so that the sample users keep theirs. */
async function deleteAccount(context: SceneContext): Promise<void> {
  deletedAccounts += 1
  await context.authScreen.open('signup')
  await context.authScreen.signUp(`deleted${String(deletedAccounts)}@example.org`, 'a quiet hour')
  await context.dashboard.welcomeCard.waitFor()
  await openDeleteDialog(context)
  await context.yourData.deletion.password.fill('a quiet hour')
  await context.yourData.deletion.confirm.click()
  await context.authScreen.heading('Welcome back').waitFor()
}
