import type { Locator, Page } from '@playwright/test'

/** The confirmation before something is deleted. */
export class ConfirmDialog {
  readonly root: Locator
  readonly cancel: Locator
  readonly confirm: Locator

  constructor(page: Page) {
    this.root = page.getByRole('alertdialog')
    this.cancel = this.root.getByRole('button', { name: 'Cancel' })
    this.confirm = this.root.getByRole('button', { name: /^Delete/ })
  }
}
