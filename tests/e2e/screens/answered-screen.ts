import type { Locator, Page } from '@playwright/test'

/** The answered prayers. */
export class AnsweredScreen {
  readonly page: Page
  readonly title: Locator
  readonly entries: Locator
  readonly empty: Locator
  readonly announcement: Locator
  readonly undo: Locator
  readonly recordAnswer: Locator
  readonly dialog: AnswerDialog

  constructor(page: Page) {
    this.page = page
    this.title = page.getByRole('heading', { name: 'Answered', level: 1 })
    this.entries = page.getByRole('main').getByRole('article')
    this.empty = page.getByRole('heading', { name: 'Nothing here yet' })
    this.announcement = page.getByRole('status')
    this.undo = page.getByRole('button', { name: 'Undo' })
    /** In the announcement of a prayer that was just resolved. */
    this.recordAnswer = page.getByRole('button', { name: 'Record answer', exact: true })
    this.dialog = new AnswerDialog(page)
  }

  async open(): Promise<void> {
    await this.page.goto('/answered')
  }

  /** A month, or the anniversaries of a year. */
  section(title: string): Locator {
    return this.page.getByRole('region', { name: title, exact: true })
  }

  entry(name: string): AnsweredEntry {
    const heading = this.page.getByRole('heading', { name, exact: true, level: 3 })
    return new AnsweredEntry(this.entries.filter({ has: heading }))
  }
}

/** An answered prayer. */
class AnsweredEntry {
  readonly root: Locator
  readonly heading: Locator
  readonly edit: Locator
  readonly reopen: Locator
  readonly updates: Locator

  constructor(root: Locator) {
    this.root = root
    this.heading = root.getByRole('heading')
    this.edit = root.getByRole('button', { name: /^(Edit|Record) answer/ })
    this.reopen = root.getByRole('button', { name: /^Reopen/ })
    this.updates = root.getByRole('list').getByRole('listitem')
  }
}

/** The dialog for the date and the text of an answer. */
class AnswerDialog {
  readonly root: Locator
  readonly date: Locator
  readonly answer: Locator
  readonly save: Locator
  readonly cancel: Locator
  readonly error: Locator

  constructor(page: Page) {
    this.root = page.getByRole('dialog')
    this.date = this.root.getByLabel('Answered on', { exact: true })
    this.answer = this.root.getByLabel('How was it answered?')
    this.save = this.root.getByRole('button', { name: 'Save' })
    this.cancel = this.root.getByRole('button', { name: 'Cancel' })
    this.error = this.root.getByRole('alert')
  }
}
