import type { Locator, Page } from '@playwright/test'

/** The sheet with what could not be saved. */
export class RejectedChangesSheet {
  readonly root: Locator
  readonly entries: Locator
  readonly changeAndTryAgain: Locator
  readonly copy: Locator
  readonly copied: Locator
  readonly discard: Locator
  readonly keep: Locator
  readonly discardForGood: Locator

  constructor(page: Page) {
    this.root = page.getByRole('dialog', { name: 'Could not be saved' })
    this.entries = this.root.getByRole('listitem')
    this.changeAndTryAgain = this.root.getByRole('button', { name: 'Change and try again' })
    this.copy = this.root.getByRole('button', { name: 'Copy the text' })
    this.copied = this.root.getByRole('button', { name: 'Copied' })
    this.discard = this.root.getByRole('button', { name: 'Discard', exact: true })
    this.keep = this.root.getByRole('button', { name: 'Keep' })
    this.discardForGood = this.root.getByRole('button', { name: 'Discard for good' })
  }
}
