import type { Page } from '@playwright/test'

/** The sheet with what could not be saved. */
export function rejectedChangesSheetOf(page: Page) {
  const root = page.getByRole('dialog', { name: 'Could not be saved' })
  return {
    root,
    entries: root.getByRole('listitem'),
    changeAndTryAgain: root.getByRole('button', { name: 'Change and try again' }),
  }
}
