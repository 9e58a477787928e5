import type { Page } from '@playwright/test'

/** The bar above all screens of a signed-in user, with the account menu. */
export function navigationBarOf(page: Page) {
  const bar = page.getByRole('banner')
  const menuButton = bar.locator('button[aria-haspopup=menu]')
  const signOutItem = page.getByRole('menuitem', { name: /Sign out|Signing out/ })
  return {
    page,
    bar,
    menuButton,
    menu: page.getByRole('menu'),
    settingsItem: page.getByRole('menuitem', { name: 'Settings' }),
    shortcutsItem: page.getByRole('menuitem', { name: 'Keyboard shortcuts' }),
    signOutItem,
    /** Opens the sheet with what could not be saved. */
    couldNotBeSaved: bar.getByRole('button', { name: 'Could not be saved' }),
    twitterBadge: page.getByText('Signed in with Twitter'),
    /** The link to a place. */
    place: (name: string) => page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name }),
    async signOut() {
      await menuButton.click()
      await signOutItem.click()
    },
  }
}
