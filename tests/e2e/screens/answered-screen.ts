import type { Locator, Page } from '@playwright/test'

/** The answered prayers. */
export function answeredScreenOf(page: Page) {
  const entries = page.getByRole('main').getByRole('article')
  return {
    page,
    title: page.getByRole('heading', { name: 'Answered', level: 1 }),
    entries,
    empty: page.getByRole('heading', { name: 'Nothing here yet' }),
    announcement: page.getByRole('status'),
    dialog: answerDialogOf(page),
    open: async () => void (await page.goto('/answered')),
    /** A month, or the anniversaries of a year. */
    section: (title: string) => page.getByRole('region', { name: title, exact: true }),
    entry(name: string) {
      const heading = page.getByRole('heading', { name, exact: true, level: 3 })
      return answeredEntryOf(page, entries.filter({ has: heading }))
    },
  }
}

/** An answered prayer. */
function answeredEntryOf(page: Page, root: Locator) {
  return {
    root,
    heading: root.getByRole('heading'),
    edit: root.getByRole('button', { name: /^(Edit|Record) answer/ }),
    reopen: root.getByRole('button', { name: /^Reopen/ }),
    /** On a touch screen, the menu with what can be done. */
    more: root.getByRole('button', { name: /^More for/ }),
    editInMenu: page.getByRole('menuitem', { name: /^(Edit|Record) answer/ }),
  }
}

/** The dialog for the date and the text of an answer. */
function answerDialogOf(page: Page) {
  const root = page.getByRole('dialog')
  return {
    root,
    date: root.getByLabel('Answered on', { exact: true }),
    answer: root.getByLabel('How was it answered?'),
    save: root.getByRole('button', { name: 'Save' }),
    cancel: root.getByRole('button', { name: 'Cancel' }),
    error: root.getByRole('alert'),
  }
}
