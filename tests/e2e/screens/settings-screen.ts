import type { Page } from '@playwright/test'

/** `/settings`: on phones a list of its pages, on wide screens the list beside one of them. */
export function settingsScreenOf(page: Page) {
  return {
    page,
    /** The list beside a page. */
    sideList: page.getByRole('navigation', { name: 'Settings' }),
    /** Begins to turn two-factor sign-in on. */
    setUp: page.getByRole('button', { name: 'Set up' }),
    /** Begins to turn it off, and then does it. */
    turnOff: page.getByRole('button', { name: 'Turn off', exact: true }),
    qrCode: page.getByRole('img', { name: 'QR code' }),
    /** The key in the QR code, in groups. */
    appKey: page.locator('form code'),
    codeOfApp: page.getByLabel('Code that the app shows'),
    recoveryCodesTitle: page.getByRole('heading', { name: 'Your recovery codes' }),
    recoveryCodes: page.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem'),
    back: page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }),
    /** @param name of a page in the URL; none for the list of pages */
    open: async (name = '') => void (await page.goto(`/settings/${name}`)),
    heading: (name: string) => page.getByRole('heading', { name, level: 1 }),
    section: (name: string) => page.getByRole('region', { name, exact: true }),
    /** The link to a page in the list. */
    link: (name: string) =>
      page
        .getByRole('main')
        .getByRole('listitem')
        .getByRole('link', { name: new RegExp(`^${name}`) }),
  }
}
