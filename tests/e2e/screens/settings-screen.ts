import type { Locator, Page } from '@playwright/test'

/** `/settings`: on phones a list of its pages, on wide screens the list beside one of them. */
export class SettingsScreen {
  readonly page: Page
  /** The list beside a page. */
  readonly sideList: Locator
  readonly back: Locator

  constructor(page: Page) {
    this.page = page
    this.sideList = page.getByRole('navigation', { name: 'Settings' })
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
