import type { Page } from '@playwright/test'

/** `/search`: finding prayers by words. */
export function searchScreenOf(page: Page) {
  return {
    page,
    title: page.getByRole('heading', { name: 'Search', level: 1 }),
    field: page.getByRole('searchbox', { name: 'Search prayers' }),
    clear: page.getByRole('search').getByRole('button', { name: 'Clear' }),
    open: searchGroupOf(page, 'Open'),
    answered: searchGroupOf(page, 'Answered'),
    /** The parts of the results that match. */
    matches: page.getByRole('main').locator('mark'),
    goto: async () => void (await page.goto('/search')),
  }
}

/** The results for open or for answered prayers. */
function searchGroupOf(page: Page, title: string) {
  const root = page.getByRole('region', { name: title })
  const results = root.getByRole('listitem')
  return {
    root,
    results,
    showAll: root.getByRole('button', { name: /^Show all/ }),
    /** The link to the page of a prayer. */
    result: (name: string | RegExp) => results.getByRole('link', { name }),
  }
}
