import type { Page } from '@playwright/test'
import type { ServerProcess } from '#tests/e2e/fixtures/server-process.ts'
import type { User } from '#tests/e2e/fixtures/user.ts'
import { AnsweredScreen } from '#tests/e2e/screens/answered-screen.ts'
import { AuthScreen } from '#tests/e2e/screens/auth-screen.ts'
import { CategoriesScreen } from '#tests/e2e/screens/categories-screen.ts'
import { DashboardScreen } from '#tests/e2e/screens/dashboard-screen.ts'
import { YourDataScreen } from '#tests/e2e/screens/your-data-screen.ts'
import { SearchScreen } from '#tests/e2e/screens/search-screen.ts'
import { SettingsScreen } from '#tests/e2e/screens/settings-screen.ts'
import { NavigationBar } from '#tests/e2e/screens/navigation-bar.ts'
import { PrayerScreen } from '#tests/e2e/screens/prayer-screen.ts'
import { PrayScreen } from '#tests/e2e/screens/pray-screen.ts'

/** A page and the screens it can show. */
export interface SceneContext {
  page: Page
  server: ServerProcess
  auth: AuthScreen
  navigation: NavigationBar
  dashboard: DashboardScreen
  pray: PrayScreen
  prayer: PrayerScreen
  answered: AnsweredScreen
  categories: CategoriesScreen
  yourData: YourDataScreen
  search: SearchScreen
  settings: SettingsScreen
}

/** A state of a screen, to take a screenshot of. */
export interface Scene {
  /** File name of the screenshots, without width and theme. */
  name: string
  /** The signed-in user, if any. */
  user?: User
  /** In pixels, by default all widths. */
  widths?: readonly number[]
  /** Captures only what is in the window, with the elements fixed to it, instead of the whole page. */
  windowOnly?: true
  /** Brings the page into the state, without changing the user's data. */
  run: (context: SceneContext) => Promise<void>
}

export function sceneContext(page: Page, server: ServerProcess): SceneContext {
  return {
    page,
    server,
    auth: new AuthScreen(page),
    navigation: new NavigationBar(page),
    dashboard: new DashboardScreen(page),
    pray: new PrayScreen(page),
    prayer: new PrayerScreen(page),
    answered: new AnsweredScreen(page),
    categories: new CategoriesScreen(page),
    yourData: new YourDataScreen(page),
    search: new SearchScreen(page),
    settings: new SettingsScreen(page),
  }
}
