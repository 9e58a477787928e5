import type { Cast } from './cast.ts'
import type { Scene, Stage } from './scene.ts'

/** Every state of the screen for a person's own data, and the sentence that remains. */
export function ownDataScenes({ typical, longest }: Cast): readonly Scene[] {
  return [
    { name: 'own-data', person: typical, play: open },
    { name: 'own-data-export-failed', person: typical, play: failToExport },
    { name: 'own-data-import-preview', person: typical, play: lookAtNewFile },
    { name: 'own-data-import-known', person: typical, play: lookAtKnownFile },
    { name: 'own-data-import-refused', person: typical, play: chooseSpoiltFile },
    { name: 'own-data-delete', windowOnly: true, person: typical, play: askToDelete },
    { name: 'own-data-delete-longest', windowOnly: true, person: longest, play: askToDelete },
    { name: 'own-data-delete-refused', windowOnly: true, person: typical, play: failToDelete },
    { name: 'own-data-farewell', windowOnly: true, play: deleteAccount },
  ]
}

async function open({ ownData }: Stage): Promise<void> {
  await ownData.open()
  await ownData.title.waitFor()
}

async function failToExport(stage: Stage): Promise<void> {
  await open(stage)
  await stage.server.stop()
  await stage.ownData.saveDataFile.click()
  await stage.ownData.error.waitFor()
}

async function lookAtNewFile(stage: Stage): Promise<void> {
  await open(stage)
  const { text } = await stage.ownData.saved(stage.ownData.saveDataFile)
  // Every id another one, and every person too: a file of somebody else.
  const others = text.replaceAll(
    /"id": "........|"category_id": "......../g,
    (id) => `${id.slice(0, -8)}00000000`,
  )
  await stage.ownData.choose(others.replaceAll('"person_name": "', '"person_name": "The family of '))
  await stage.ownData.importButton.waitFor()
}

async function lookAtKnownFile(stage: Stage): Promise<void> {
  await open(stage)
  const { text } = await stage.ownData.saved(stage.ownData.saveDataFile)
  await stage.ownData.choose(text)
  await stage.page.getByText('is here already').waitFor()
}

async function chooseSpoiltFile(stage: Stage): Promise<void> {
  await open(stage)
  const { text } = await stage.ownData.saved(stage.ownData.saveDataFile)
  await stage.ownData.choose(text.replace('"person_name": "Gran"', '"person_name": " "'))
  await stage.ownData.error.waitFor()
}

async function askToDelete(stage: Stage): Promise<void> {
  await open(stage)
  await stage.ownData.deleteButton.click()
  await stage.ownData.deletion.root.waitFor()
}

async function failToDelete(stage: Stage): Promise<void> {
  await askToDelete(stage)
  await stage.ownData.deletion.password.fill('not my password')
  await stage.ownData.deletion.confirm.click()
  await stage.ownData.deletion.error.waitFor()
}

let leavers = 0

/** Of somebody who comes only to go: the data of the others stay as they are. */
async function deleteAccount(stage: Stage): Promise<void> {
  leavers += 1
  await stage.auth.open('signup')
  await stage.auth.signUp(`leaver${String(leavers)}@example.org`, 'a quiet hour')
  await stage.dashboard.welcomeCard.waitFor()
  await askToDelete(stage)
  await stage.ownData.deletion.password.fill('a quiet hour')
  await stage.ownData.deletion.confirm.click()
  await stage.auth.heading('Welcome back').waitFor()
}
