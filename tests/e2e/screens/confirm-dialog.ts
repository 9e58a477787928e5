import type { Page } from '@playwright/test'

/** The confirmation before something is deleted. */
export function confirmDialogOf(page: Page) {
  const root = page.getByRole('alertdialog')
  return {
    root,
    cancel: root.getByRole('button', { name: 'Cancel' }),
    confirm: root.getByRole('button', { name: /^Delete/ }),
  }
}
