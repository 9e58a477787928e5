import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'

/** `/settings/your-data`: export, import, and deleting the account. */
export function yourDataScreenOf(page: Page) {
  const exportCard = page.getByRole('region', { name: 'Export my data' })
  const importCard = page.getByRole('region', { name: 'Import' })
  const deleteCard = page.getByRole('region', { name: 'Delete my account' })
  const chooseFile = importCard.getByRole('button', { name: 'Choose a data file' })
  return {
    page,
    title: page.getByRole('heading', { name: 'Your data', level: 1 }),
    exportCard,
    importCard,
    deleteCard,
    saveDataFile: exportCard.getByRole('button', { name: 'Save data file' }),
    importButton: importCard.getByRole('button', { name: 'Import' }),
    error: page.getByRole('main').getByRole('alert'),
    deleteButton: deleteCard.getByRole('button', { name: 'Delete my account' }),
    deletion: deletionDialogOf(page),
    open: async () => void (await page.goto('/settings/your-data')),
    /** A message for screen readers and at the bottom of the page. */
    announced: (text: string) => page.getByRole('status').getByText(text),
    /** Clicks a button that saves a file; returns the file's name and text. */
    async saved(button: Locator) {
      const download = page.waitForEvent('download')
      await button.click()
      const file = await download
      return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
    },
    /** Chooses a file through the file picker of the button. */
    async choose(text: string, name = 'intercede.json') {
      const chooser = page.waitForEvent('filechooser')
      await chooseFile.click()
      await (await chooser).setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
    },
  }
}

/** The dialog that confirms deleting the account. */
function deletionDialogOf(page: Page) {
  const root = page.getByRole('dialog', { name: 'Delete my account' })
  return {
    root,
    password: root.getByLabel('Your password'),
    cancel: root.getByRole('button', { name: 'Cancel' }),
    confirm: root.getByRole('button', { name: /^Delete my account|^Deleting/ }),
    saveDataFile: root.getByRole('button', { name: 'Save data file' }),
    error: root.getByRole('alert'),
  }
}
