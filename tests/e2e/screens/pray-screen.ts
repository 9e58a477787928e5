import type { Locator, Page } from '@playwright/test'

/** Where prayers are prayed: today's page, the session, and its end. */
export class PrayScreen {
  readonly page: Page
  readonly title: Locator
  /** The names on today's page, each with its text. */
  readonly names: Locator
  /** The line about who is on today's page. */
  readonly choice: Locator
  readonly change: Locator
  readonly choiceSheet: Locator
  readonly more: Locator
  readonly begin: Locator
  readonly continueSession: Locator
  /** The name of the person, during a session. */
  readonly name: Locator
  readonly position: Locator
  readonly progress: Locator
  readonly prayed: Locator
  readonly skip: Locator
  readonly back: Locator
  readonly answered: Locator
  readonly addUpdate: Locator
  readonly updateDialog: Locator
  readonly updateText: Locator
  readonly saveUpdate: Locator
  readonly done: Locator
  readonly amen: Locator
  readonly undo: Locator

  constructor(page: Page) {
    this.page = page
    const main = page.getByRole('main')
    this.title = page.getByRole('heading', { name: 'Today', level: 1, exact: true })
    this.names = main.getByRole('listitem')
    this.choice = main.getByRole('paragraph').filter({ hasText: ' from ' })
    this.change = main.getByRole('button', { name: 'Change' })
    this.choiceSheet = page.getByRole('dialog', { name: "Today's page" })
    this.more = main.getByRole('button', { name: 'Pray for more' })
    this.begin = main.getByRole('button', { name: 'Begin' })
    this.continueSession = main.getByRole('button', { name: /^Continue where you left off/ })
    this.name = main.getByRole('article').getByRole('heading', { level: 1 })
    this.position = main.getByText(/^\d+ of \d+$/)
    this.progress = main.getByRole('progressbar')
    this.prayed = main.getByRole('button', { name: 'Prayed', exact: true })
    this.skip = main.getByRole('button', { name: 'Skip' })
    this.back = main.getByRole('button', { name: 'Back' })
    this.answered = main.getByRole('button', { name: 'Answered' })
    this.addUpdate = main.getByRole('button', { name: 'Add an update' })
    this.updateDialog = page.getByRole('dialog', { name: 'Add an update' })
    this.updateText = this.updateDialog.getByRole('textbox')
    this.saveUpdate = this.updateDialog.getByRole('button', { name: 'Add', exact: true })
    this.done = main.getByRole('button', { name: 'Done' })
    this.amen = page.getByRole('heading', { name: 'Amen.', level: 1 })
    this.undo = page.getByRole('button', { name: 'Undo' })
  }

  async open(): Promise<void> {
    await this.page.goto('/pray')
  }

  /** The circle of someone on today's page. */
  circle(name: string): Locator {
    return this.page.getByRole('button', { name: `Mark ${name} as prayed`, exact: true })
  }

  /** How many are on today's page. */
  number(label: '5' | '10' | '20' | 'All'): Locator {
    return this.choiceSheet.getByRole('radio', { name: label, exact: true })
  }

  category(name: string): Locator {
    return this.choiceSheet.getByRole('checkbox', { name, exact: true })
  }
}
