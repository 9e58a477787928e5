import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'

/** `/settings/your-data`: export, import, and deleting the account. */
export class YourDataScreen {
  readonly page: Page
  readonly title: Locator
  readonly saveDataFile: Locator
  readonly saveAsText: Locator
  readonly exportCard: Locator
  readonly importCard: Locator
  readonly deleteCard: Locator
  readonly chooseFile: Locator
  readonly importButton: Locator
  readonly cancelImport: Locator
  readonly error: Locator
  readonly deleteButton: Locator
  readonly deletion: DeletionDialog

  constructor(page: Page) {
    this.page = page
    this.title = page.getByRole('heading', { name: 'Your data', level: 1 })
    this.exportCard = page.getByRole('region', { name: 'Export my data' })
    this.importCard = page.getByRole('region', { name: 'Import' })
    this.deleteCard = page.getByRole('region', { name: 'Delete my account' })
    this.saveDataFile = this.exportCard.getByRole('button', { name: 'Save data file' })
    this.saveAsText = this.exportCard.getByRole('button', { name: 'Save as text' })
    this.chooseFile = this.importCard.getByRole('button', { name: 'Choose a data file' })
    this.importButton = this.importCard.getByRole('button', { name: 'Import' })
    this.cancelImport = this.importCard.getByRole('button', { name: 'Cancel' })
    this.error = page.getByRole('main').getByRole('alert')
    this.deleteButton = this.deleteCard.getByRole('button', { name: 'Delete my account' })
    this.deletion = new DeletionDialog(page)
  }

  async open(): Promise<void> {
    await this.page.goto('/settings/your-data')
  }

  /** A message for screen readers and at the bottom of the page. */
  announced(text: string): Locator {
    return this.page.getByRole('status').getByText(text)
  }

  /** Clicks a button that saves a file; returns the file's name and text. */
  async saved(button: Locator): Promise<{ name: string; text: string }> {
    const download = this.page.waitForEvent('download')
    await button.click()
    const file = await download
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }

  /** Chooses a file through the file picker of the button. */
  async choose(text: string, name = 'intercede.json'): Promise<void> {
    const chooser = this.page.waitForEvent('filechooser')
    await this.chooseFile.click()
    await (await chooser).setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
  }
}

/** The dialog that confirms deleting the account. */
class DeletionDialog {
  readonly root: Locator
  readonly password: Locator
  readonly cancel: Locator
  readonly confirm: Locator
  readonly saveDataFile: Locator
  readonly error: Locator

  constructor(page: Page) {
    this.root = page.getByRole('dialog', { name: 'Delete my account' })
    this.password = this.root.getByLabel('Your password')
    this.cancel = this.root.getByRole('button', { name: 'Cancel' })
    this.confirm = this.root.getByRole('button', { name: /^Delete my account|^Deleting/ })
    this.saveDataFile = this.root.getByRole('button', { name: 'Save data file' })
    this.error = this.root.getByRole('alert')
  }
}
