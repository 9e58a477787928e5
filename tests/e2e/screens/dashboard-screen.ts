import type { Locator, Page } from '@playwright/test'
import { confirmDialogOf } from './confirm-dialog.ts'
import { addSeveralDialogOf, prayerDialogOf } from './prayer-dialog.ts'

/** The dashboard: one card per visible category. */
export function dashboardScreenOf(page: Page) {
  const banner = page.getByRole('main').getByRole('alert')
  const prayerDialog = prayerDialogOf(page)
  const card = (category: string) =>
    categoryCardOf(page, page.getByRole('region', { name: category, exact: true }))
  return {
    page,
    title: page.getByRole('heading', { name: 'Prayer Dashboard', level: 1 }),
    manageCategories: page.getByRole('link', { name: 'Manage Categories' }).first(),
    welcomeCard: page.getByRole('heading', { name: 'Welcome to Intercede' }),
    createFirstCategory: page.getByRole('link', { name: 'Create Your First Category' }),
    cards: page.getByRole('region').filter({ has: page.getByRole('button', { name: /^Add Prayer/ }) }),
    /** The rows of all cards. */
    rows: page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Edit prayer' }) }),
    banner,
    dismiss: banner.getByRole('button', { name: 'Dismiss' }),
    retry: banner.getByRole('button', { name: 'Try again' }),
    announcement: page.getByRole('status'),
    undo: page.getByRole('button', { name: 'Undo' }),
    prayerDialog,
    /** Opens `addSeveral`, from the welcome or from the dialog for one prayer. */
    addSeveralButton: page.getByRole('button', { name: 'Add several' }),
    addSeveral: addSeveralDialogOf(page),
    confirmDialog: confirmDialogOf(page),
    open: async () => void (await page.goto('/dashboard')),
    card,
    /** Adds a prayer through the dialog of a card. */
    async addPrayer(category: string, name: string, note?: string) {
      await card(category).addPrayer.click()
      await prayerDialog.name.fill(name)
      if (note !== undefined) await prayerDialog.details.fill(note)
      await prayerDialog.addButton.click()
    },
  }
}

/** The card of one category. */
function categoryCardOf(page: Page, root: Locator) {
  const rows = root.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Edit prayer' }) })
  return {
    root,
    addPrayer: root.getByRole('button', { name: /^Add Prayer/ }),
    rows,
    showAll: root.getByRole('button', { name: /^Show all \(/ }),
    showResolved: root.getByRole('button', { name: /^Show Resolved/ }),
    empty: root.getByText('No prayers yet'),
    row: (name: string) => prayerRowOf(rows.filter({ hasText: name })),
  }
}

/** The row of one prayer. */
function prayerRowOf(root: Locator) {
  return {
    root,
    resolve: root.getByTitle('Mark as resolved'),
    unresolve: root.getByTitle('Mark as unresolved'),
    edit: root.getByTitle('Edit prayer'),
    remove: root.getByTitle('Delete prayer'),
    resolvedBadge: root.getByText('Resolved', { exact: true }),
  }
}
