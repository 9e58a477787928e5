import type { Page } from '@playwright/test'

/** Where prayers are prayed: today's page, the session, and its end. */
export function prayScreenOf(page: Page) {
  const main = page.getByRole('main')
  const choiceSheet = page.getByRole('dialog', { name: "Today's page" })
  const updateDialog = page.getByRole('dialog', { name: 'Add an update' })
  return {
    page,
    title: page.getByRole('heading', { name: 'Today', level: 1, exact: true }),
    /** The names on today's page, each with its text. */
    names: main.getByRole('listitem'),
    /** The line about who is on today's page. */
    choice: main.getByRole('paragraph').filter({ has: page.getByRole('button', { name: 'Change' }) }),
    change: main.getByRole('button', { name: 'Change' }),
    choiceSheet,
    more: main.getByRole('button', { name: 'Pray for more' }),
    begin: main.getByRole('button', { name: 'Begin' }),
    continueSession: main.getByRole('button', { name: /^Continue · / }),
    /** The name of the person, during a session. */
    name: main.getByRole('article').getByRole('heading', { level: 1 }),
    position: main.getByText(/^\d+ of \d+$/),
    prayed: main.getByRole('button', { name: 'Prayed', exact: true }),
    skip: main.getByRole('button', { name: 'Skip' }),
    back: main.getByRole('button', { name: 'Back' }),
    answered: main.getByRole('button', { name: 'Answered' }),
    addUpdate: main.getByRole('button', { name: 'Add an update' }),
    updateDialog,
    updateText: updateDialog.getByRole('textbox'),
    saveUpdate: updateDialog.getByRole('button', { name: 'Add', exact: true }),
    done: main.getByRole('button', { name: 'Done' }),
    amen: page.getByRole('heading', { name: 'Amen.', level: 1 }),
    undo: page.getByRole('button', { name: 'Undo' }),
    /** How a prayer was answered. */
    answer: main.getByRole('textbox', { name: 'How was it answered?' }),
    open: async () => void (await page.goto('/pray')),
    /** The circle of someone on today's page. */
    circle: (name: string) => page.getByRole('button', { name: `Mark ${name} as prayed`, exact: true }),
    /** How many are on today's page. */
    number: (label: '5' | '10' | '20' | 'All') =>
      choiceSheet.getByRole('radio', { name: label, exact: true }),
    category: (name: string) => choiceSheet.getByRole('checkbox', { name, exact: true }),
  }
}
