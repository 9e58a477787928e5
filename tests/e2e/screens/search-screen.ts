import type { Locator, Page } from '@playwright/test'

/** `/search`: finding prayers by words. */
export class SearchScreen {
  readonly page: Page
  readonly title: Locator
  readonly field: Locator
  readonly clear: Locator
  readonly open: SearchGroup
  readonly answered: SearchGroup
  /** The parts of the results that match. */
  readonly matches: Locator

  constructor(page: Page) {
    this.page = page
    this.title = page.getByRole('heading', { name: 'Search', level: 1 })
    this.field = page.getByRole('searchbox', { name: 'Search prayers' })
    this.clear = page.getByRole('search').getByRole('button', { name: 'Clear' })
    this.open = new SearchGroup(page, 'Open')
    this.answered = new SearchGroup(page, 'Answered')
    this.matches = page.getByRole('main').locator('mark')
  }

  async goto(): Promise<void> {
    await this.page.goto('/search')
  }
}

/** The results for open or for answered prayers. */
export class SearchGroup {
  readonly root: Locator
  readonly results: Locator
  readonly showAll: Locator

  constructor(page: Page, title: string) {
    this.root = page.getByRole('region', { name: title })
    this.results = this.root.getByRole('listitem')
    this.showAll = this.root.getByRole('button', { name: /^Show all/ })
  }

  /** The link to the page of a prayer. */
  result(name: string | RegExp): Locator {
    return this.results.getByRole('link', { name })
  }
}
