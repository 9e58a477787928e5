import type { Locator, Page } from '@playwright/test'

/** The dialog for adding or editing a prayer. */
export class PrayerDialog {
  readonly root: Locator
  readonly category: Locator
  readonly name: Locator
  readonly details: Locator
  readonly resolved: Locator
  readonly addButton: Locator
  readonly updateButton: Locator
  readonly cancel: Locator
  readonly close: Locator
  readonly error: Locator
  /** Restores unsaved text. */
  readonly bringBack: Locator

  constructor(page: Page) {
    this.root = page.getByRole('dialog')
    this.category = this.root.getByLabel('Category')
    this.name = this.root.getByLabel('Name')
    this.details = this.root.getByLabel('Prayer Details (Optional)')
    this.resolved = this.root.getByLabel('Mark as resolved')
    this.addButton = this.root.getByRole('button', { name: 'Add Prayer' })
    this.updateButton = this.root.getByRole('button', { name: 'Update Prayer' })
    this.cancel = this.root.getByRole('button', { name: 'Cancel' })
    this.close = this.root.getByRole('button', { name: 'Close' })
    this.bringBack = this.root.getByRole('button', { name: 'Bring it back' })
    this.error = this.root.getByRole('alert')
  }
}

/** The dialog for a list of prayers. */
export class AddSeveralDialog {
  readonly dialog: Locator
  readonly list: Locator
  readonly add: Locator

  constructor(page: Page) {
    this.dialog = page.getByRole('dialog', { name: 'Add Several Prayers' })
    this.list = this.dialog.getByLabel('Prayers', { exact: true })
    this.add = this.dialog.getByRole('button', { name: /^Add .*Prayers$/ })
  }

  /** The choice of a new category. */
  suggestion(name: string): Locator {
    return this.dialog.getByText(name, { exact: true })
  }
}
