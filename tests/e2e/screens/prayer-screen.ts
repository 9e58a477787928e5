import type { Page } from '@playwright/test'
import { prayerDialogOf } from './prayer-dialog.ts'

/** `/prayer/<id>`: the page of a prayer. */
export function prayerScreenOf(page: Page) {
  const root = page.getByRole('main').getByRole('article')
  const button = (name: string) => root.getByRole('button', { name, exact: true })
  return {
    page,
    root,
    /** The name of the person. */
    title: root.getByRole('heading', { level: 1 }),
    notFound: page.getByRole('heading', { name: 'This prayer is no longer here.', level: 1 }),
    back: button('Back'),
    edit: button('Edit'),
    share: button('Share'),
    category: root.locator('header').getByRole('link'),
    prayedToday: button('Prayed today'),
    answered: button('Answered'),
    reopen: button('Reopen'),
    addUpdate: button('Add an update'),
    newUpdate: root.getByLabel('What is new?'),
    saveUpdate: button('Add'),
    entries: root.getByRole('region', { name: 'Timeline' }).getByRole('listitem'),
    prayerDialog: prayerDialogOf(page),
    /** In the dialog, the text that is passed on. */
    shareText: page.getByRole('dialog', { name: 'Share' }).getByLabel('Text'),
    /** The link to the page of a prayer, on any screen. */
    linkTo: (name: string | RegExp) => page.getByRole('main').getByRole('link', { name, exact: true }),
  }
}
