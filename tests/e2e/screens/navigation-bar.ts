import type { Locator, Page } from '@playwright/test'

/** The bar above all screens of a signed-in user, with the account menu. */
export class NavigationBar {
  readonly #page: Page
  readonly bar: Locator
  readonly menuButton: Locator
  readonly menu: Locator
  readonly settingsItem: Locator
  readonly shortcutsItem: Locator
  readonly installItem: Locator
  readonly signOutItem: Locator
  readonly twitterBadge: Locator
  /** Opens the sheet with what could not be saved. */
  readonly couldNotBeSaved: Locator

  constructor(page: Page) {
    this.#page = page
    this.bar = page.getByRole('banner')
    this.menuButton = this.bar.locator('button[aria-haspopup=menu]')
    this.menu = page.getByRole('menu')
    this.settingsItem = page.getByRole('menuitem', { name: 'Settings' })
    this.shortcutsItem = page.getByRole('menuitem', { name: 'Keyboard shortcuts' })
    this.installItem = page.getByRole('menuitem', { name: 'Install the app' })
    this.signOutItem = page.getByRole('menuitem', { name: /Sign out|Signing out/ })
    this.couldNotBeSaved = this.bar.getByRole('button', { name: 'Could not be saved' })
    this.twitterBadge = page.getByText('Signed in with Twitter')
  }

  /** The link to a place. */
  place(name: string): Locator {
    return this.#page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name })
  }

  async signOut(): Promise<void> {
    await this.menuButton.click()
    await this.signOutItem.click()
  }
}
