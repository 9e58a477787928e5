import type { Page } from '@playwright/test'

/** The dialog for adding or editing a prayer. */
export function prayerDialogOf(page: Page) {
  const root = page.getByRole('dialog')
  return {
    root,
    category: root.getByLabel('Category'),
    name: root.getByLabel('Name'),
    details: root.getByLabel('Prayer Details (Optional)'),
    resolved: root.getByLabel('Mark as resolved'),
    addButton: root.getByRole('button', { name: 'Add Prayer' }),
    updateButton: root.getByRole('button', { name: 'Update Prayer' }),
    cancel: root.getByRole('button', { name: 'Cancel' }),
    close: root.getByRole('button', { name: 'Close' }),
    /** Restores unsaved text. */
    bringBack: root.getByRole('button', { name: 'Bring it back' }),
    error: root.getByRole('alert'),
  }
}

/** The dialog for a list of prayers. */
export function addSeveralDialogOf(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Add Several Prayers' })
  return {
    dialog,
    list: dialog.getByLabel('Prayers', { exact: true }),
    add: dialog.getByRole('button', { name: /^Add .*Prayers$/ }),
    /** The choice of a new category. */
    suggestion: (name: string) => dialog.getByText(name, { exact: true }),
  }
}
