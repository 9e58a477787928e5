import type { SampleUsers } from './sample-users.ts'
import type { Scene, SceneContext } from './scene.ts'

/** The states of the account data screen, and the flash message after deleting the account. */
export function accountDataScenes({ typical, longest }: SampleUsers): readonly Scene[] {
  return [
    { name: 'account-data', user: typical, run: open },
    { name: 'account-data-export-failed', user: typical, run: failToExport },
    { name: 'account-data-import-preview', user: typical, run: previewNewFile },
    { name: 'account-data-import-known', user: typical, run: previewImportedFile },
    { name: 'account-data-import-invalid', user: typical, run: chooseInvalidFile },
    { name: 'account-data-delete', windowOnly: true, user: typical, run: openDeleteDialog },
    { name: 'account-data-delete-longest', windowOnly: true, user: longest, run: openDeleteDialog },
    { name: 'account-data-delete-error', windowOnly: true, user: typical, run: failToDelete },
    { name: 'account-deleted', windowOnly: true, run: deleteAccount },
  ]
}

async function open({ accountData }: SceneContext): Promise<void> {
  await accountData.open()
  await accountData.title.waitFor()
}

async function failToExport(context: SceneContext): Promise<void> {
  await open(context)
  await context.server.stop()
  await context.accountData.saveDataFile.click()
  await context.accountData.error.waitFor()
}

async function previewNewFile(context: SceneContext): Promise<void> {
  await open(context)
  const { text } = await context.accountData.saved(context.accountData.saveDataFile)
  // With other ids and names, as if exported from another account.
  const others = text.replaceAll(
    /"id": "........|"category_id": "......../g,
    (id) => `${id.slice(0, -8)}00000000`,
  )
  await context.accountData.choose(others.replaceAll('"person_name": "', '"person_name": "The family of '))
  await context.accountData.importButton.waitFor()
}

async function previewImportedFile(context: SceneContext): Promise<void> {
  await open(context)
  const { text } = await context.accountData.saved(context.accountData.saveDataFile)
  await context.accountData.choose(text)
  await context.page.getByText('is here already').waitFor()
}

async function chooseInvalidFile(context: SceneContext): Promise<void> {
  await open(context)
  const { text } = await context.accountData.saved(context.accountData.saveDataFile)
  await context.accountData.choose(text.replace('"person_name": "Gran"', '"person_name": " "'))
  await context.accountData.error.waitFor()
}

async function openDeleteDialog(context: SceneContext): Promise<void> {
  await open(context)
  await context.accountData.deleteButton.click()
  await context.accountData.deletion.root.waitFor()
}

async function failToDelete(context: SceneContext): Promise<void> {
  await openDeleteDialog(context)
  await context.accountData.deletion.password.fill('not my password')
  await context.accountData.deletion.confirm.click()
  await context.accountData.deletion.error.waitFor()
}

let deletedAccounts = 0

/** Deletes a new account, so that the sample users keep theirs. */
async function deleteAccount(context: SceneContext): Promise<void> {
  deletedAccounts += 1
  await context.auth.open('signup')
  await context.auth.signUp(`deleted${String(deletedAccounts)}@example.org`, 'a quiet hour')
  await context.dashboard.welcomeCard.waitFor()
  await openDeleteDialog(context)
  await context.accountData.deletion.password.fill('a quiet hour')
  await context.accountData.deletion.confirm.click()
  await context.auth.heading('Welcome back').waitFor()
}
