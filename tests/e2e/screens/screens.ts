import type { Page } from '@playwright/test'
import { answeredScreenOf } from './answered-screen.ts'
import { authScreenOf } from './auth-screen.ts'
import { categoriesScreenOf } from './categories-screen.ts'
import { dashboardScreenOf } from './dashboard-screen.ts'
import { navigationBarOf } from './navigation-bar.ts'
import { prayScreenOf } from './pray-screen.ts'
import { prayerScreenOf } from './prayer-screen.ts'
import { resetPasswordScreenOf } from './reset-password-screen.ts'
import { searchScreenOf } from './search-screen.ts'
import { settingsScreenOf } from './settings-screen.ts'
import { yourDataScreenOf } from './your-data-screen.ts'

export type Screens = ReturnType<typeof screensOf>

/** What a page can show. */
export function screensOf(page: Page) {
  return {
    page,
    authScreen: authScreenOf(page),
    navigation: navigationBarOf(page),
    dashboard: dashboardScreenOf(page),
    pray: prayScreenOf(page),
    prayer: prayerScreenOf(page),
    answered: answeredScreenOf(page),
    categories: categoriesScreenOf(page),
    resetPassword: resetPasswordScreenOf(page),
    yourData: yourDataScreenOf(page),
    search: searchScreenOf(page),
    settings: settingsScreenOf(page),
  }
}
