import type { Locator, Page } from '@playwright/test'
import { ConfirmDialog } from './confirm-dialog.ts'
import { AddSeveralDialog, PrayerDialog } from './prayer-dialog.ts'

/** The dashboard: one card per visible category. */
export class DashboardScreen {
  readonly page: Page
  readonly title: Locator
  readonly manageCategories: Locator
  readonly welcomeCard: Locator
  readonly createFirstCategory: Locator
  readonly cards: Locator
  /** The rows of all cards. */
  readonly rows: Locator
  readonly banner: Locator
  readonly dismiss: Locator
  readonly retry: Locator
  readonly announcement: Locator
  readonly undo: Locator
  readonly prayerDialog: PrayerDialog
  /** Opens `addSeveral`, from the welcome or from the dialog for one prayer. */
  readonly addSeveralButton: Locator
  readonly addSeveral: AddSeveralDialog
  readonly confirmDialog: ConfirmDialog

  constructor(page: Page) {
    this.page = page
    this.title = page.getByRole('heading', { name: 'Prayer Dashboard', level: 1 })
    this.manageCategories = page.getByRole('link', { name: 'Manage Categories' }).first()
    this.welcomeCard = page.getByRole('heading', { name: 'Welcome to Intercede' })
    this.createFirstCategory = page.getByRole('link', { name: 'Create Your First Category' })
    this.cards = page.getByRole('region').filter({ has: page.getByRole('button', { name: /^Add Prayer/ }) })
    this.rows = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Edit prayer' }) })
    this.banner = page.getByRole('main').getByRole('alert')
    this.dismiss = this.banner.getByRole('button', { name: 'Dismiss' })
    this.retry = this.banner.getByRole('button', { name: 'Try again' })
    this.announcement = page.getByRole('status')
    this.undo = page.getByRole('button', { name: 'Undo' })
    this.prayerDialog = new PrayerDialog(page)
    this.addSeveralButton = page.getByRole('button', { name: 'Add several' })
    this.addSeveral = new AddSeveralDialog(page)
    this.confirmDialog = new ConfirmDialog(page)
  }

  async open(): Promise<void> {
    await this.page.goto('/dashboard')
  }

  card(category: string): CategoryCard {
    return new CategoryCard(this.page, this.page.getByRole('region', { name: category, exact: true }))
  }

  /** Adds a prayer through the dialog of a card. */
  async addPrayer(category: string, name: string, note?: string): Promise<void> {
    await this.card(category).addPrayer.click()
    await this.prayerDialog.name.fill(name)
    if (note !== undefined) await this.prayerDialog.details.fill(note)
    await this.prayerDialog.addButton.click()
  }
}

/** The card of one category. */
export class CategoryCard {
  readonly root: Locator
  readonly addPrayer: Locator
  readonly rows: Locator
  readonly showAll: Locator
  readonly showResolved: Locator
  readonly hideResolved: Locator
  readonly empty: Locator

  constructor(page: Page, root: Locator) {
    this.root = root
    this.addPrayer = root.getByRole('button', { name: /^Add Prayer/ })
    this.rows = root.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Edit prayer' }) })
    this.showAll = root.getByRole('button', { name: /^Show all \(/ })
    this.showResolved = root.getByRole('button', { name: /^Show Resolved/ })
    this.hideResolved = root.getByRole('button', { name: /^Hide Resolved/ })
    this.empty = root.getByText('No prayers yet')
  }

  row(name: string): PrayerRow {
    return new PrayerRow(this.rows.filter({ hasText: name }))
  }
}

/** The row of one prayer. */
export class PrayerRow {
  readonly root: Locator
  readonly resolve: Locator
  readonly unresolve: Locator
  readonly edit: Locator
  readonly remove: Locator
  readonly resolvedBadge: Locator

  constructor(root: Locator) {
    this.root = root
    this.resolve = root.getByTitle('Mark as resolved')
    this.unresolve = root.getByTitle('Mark as unresolved')
    this.edit = root.getByTitle('Edit prayer')
    this.remove = root.getByTitle('Delete prayer')
    this.resolvedBadge = root.getByText('Resolved', { exact: true })
  }
}
