import type { Locator, Page } from '@playwright/test'

/** `/settings`: on phones a list of its pages, on wide screens the list beside one of them. */
export class SettingsScreen {
  readonly page: Page
  /** The list beside a page. */
  readonly sideList: Locator
  readonly back: Locator
  /** Begins to turn two-factor sign-in on. */
  readonly setUp: Locator
  /** Begins to turn it off, and then does it. */
  readonly turnOff: Locator
  readonly qrCode: Locator
  /** The key in the QR code, in groups. */
  readonly appKey: Locator
  readonly codeOfApp: Locator
  readonly recoveryCodesTitle: Locator
  readonly recoveryCodes: Locator

  constructor(page: Page) {
    this.page = page
    this.sideList = page.getByRole('navigation', { name: 'Settings' })
    this.setUp = page.getByRole('button', { name: 'Set up' })
    this.turnOff = page.getByRole('button', { name: 'Turn off', exact: true })
    this.qrCode = page.getByRole('img', { name: 'QR code' })
    this.appKey = page.locator('form code')
    this.codeOfApp = page.getByLabel('Code that the app shows')
    this.recoveryCodesTitle = page.getByRole('heading', { name: 'Your recovery codes' })
    this.recoveryCodes = page.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem')
    this.back = page.getByRole('main').getByRole('link', { name: 'Settings', exact: true })
  }

  /** @param name of a page in the URL; none for the list of pages */
  async open(name = ''): Promise<void> {
    await this.page.goto(`/settings/${name}`)
  }

  heading(name: string): Locator {
    return this.page.getByRole('heading', { name, level: 1 })
  }

  section(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true })
  }

  /** The link to a page in the list. */
  link(name: string): Locator {
    return this.page
      .getByRole('main')
      .getByRole('listitem')
      .getByRole('link', { name: new RegExp(`^${name}`) })
  }
}
