import type { Locator, Page } from '@playwright/test'
import { ConfirmDialog } from './confirm-dialog.ts'
import { PrayerDialog } from './prayer-dialog.ts'

/** `/prayer/<id>`: the page of a prayer. */
export class PrayerScreen {
  readonly page: Page
  readonly root: Locator
  /** The name of the person. */
  readonly title: Locator
  readonly notFound: Locator
  readonly back: Locator
  readonly edit: Locator
  readonly share: Locator
  readonly remove: Locator
  readonly prayedToday: Locator
  readonly answered: Locator
  readonly reopen: Locator
  readonly addUpdate: Locator
  readonly newUpdate: Locator
  readonly saveUpdate: Locator
  readonly entries: Locator
  readonly announcement: Locator
  readonly prayerDialog: PrayerDialog
  readonly shareDialog: ShareDialog
  readonly confirmDialog: ConfirmDialog

  constructor(page: Page) {
    this.page = page
    this.root = page.getByRole('main').getByRole('article')
    this.title = this.root.getByRole('heading', { level: 1 })
    this.notFound = page.getByRole('heading', { name: 'Oops!! Page not found', level: 1 })
    const button = (name: string) => this.root.getByRole('button', { name, exact: true })
    this.back = button('Back')
    this.edit = button('Edit')
    this.share = button('Share')
    this.remove = button('Delete')
    this.prayedToday = button('Prayed today')
    this.answered = button('Answered')
    this.reopen = button('Reopen')
    this.addUpdate = button('Add an update')
    this.newUpdate = this.root.getByLabel('What is new?')
    this.saveUpdate = button('Add')
    this.entries = this.root.getByRole('region', { name: 'Timeline' }).getByRole('listitem')
    this.announcement = page.getByRole('status')
    this.prayerDialog = new PrayerDialog(page)
    this.shareDialog = new ShareDialog(page)
    this.confirmDialog = new ConfirmDialog(page)
  }

  /** The link to the page of a prayer, on any screen. */
  linkTo(name: string | RegExp): Locator {
    return this.page.getByRole('main').getByRole('link', { name, exact: true })
  }
}

/** The dialog with the text that is passed on. */
class ShareDialog {
  readonly root: Locator
  readonly text: Locator
  readonly copy: Locator

  constructor(page: Page) {
    this.root = page.getByRole('dialog', { name: 'Share' })
    this.text = this.root.getByLabel('Text')
    this.copy = this.root.getByRole('button', { name: 'Copy', exact: true })
  }
}
