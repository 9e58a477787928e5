import type { Page } from '@playwright/test'
import type { ServerProcess } from '#tests/e2e/fixtures/server-process.ts'
import type { Person } from '#tests/e2e/fixtures/person.ts'
import { AuthScreen } from '#tests/e2e/screens/auth-screen.ts'
import { CategoriesScreen } from '#tests/e2e/screens/categories-screen.ts'
import { DashboardScreen } from '#tests/e2e/screens/dashboard-screen.ts'
import { AccountDataScreen } from '#tests/e2e/screens/account-data-screen.ts'
import { NavigationBar } from '#tests/e2e/screens/navigation-bar.ts'

/** What a scene works with: one page, at one width. */
export interface Stage {
  page: Page
  server: ServerProcess
  auth: AuthScreen
  navigation: NavigationBar
  dashboard: DashboardScreen
  categories: CategoriesScreen
  ownData: AccountDataScreen
}

/** One state of one screen. */
export interface Scene {
  /** Name of its pictures. */
  name: string
  /** Who is signed in; nobody when left out. */
  person?: Person
  /** Widths in pixels; all when left out. */
  widths?: readonly number[]
  /** Shows the window as it is, with what floats above the page, and not the page in its whole length. */
  windowOnly?: true
  /** Brings the state into view. It must leave the person's data as it found them. */
  play: (stage: Stage) => Promise<void>
}

export function stageFor(page: Page, server: ServerProcess): Stage {
  return {
    page,
    server,
    auth: new AuthScreen(page),
    navigation: new NavigationBar(page),
    dashboard: new DashboardScreen(page),
    categories: new CategoriesScreen(page),
    ownData: new AccountDataScreen(page),
  }
}
