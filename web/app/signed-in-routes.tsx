import type { ComponentType } from 'react'
import { Redirect, useLocation } from 'wouter'
import { DashboardScreen } from '#web/features/prayers/dashboard-screen.tsx'
import { lazyComponent } from '#web/lib/loading/lazy-chunk.ts'
import {
  ACCOUNT,
  ANSWERED,
  APPEARANCE,
  DASHBOARD,
  DEVICES,
  MANAGE_CATEGORIES,
  ON_THIS_DEVICE,
  PRAY,
  PRAYER,
  PRAYER_KEY,
  prayerIdIn,
  PROFILE,
  REMINDERS,
  SEARCH,
  SETTINGS,
  type SIGNED_IN_PATHS,
  YEAR,
  yearIn,
  YOUR_DATA,
} from '#web/lib/navigation/routes.ts'
import { PrayersIcon, SearchIcon } from '#web/ui/icons.tsx'
import { LightIcon, PrayIcon } from '#web/ui/line-icon.tsx'
import type { IconProps } from '#web/ui/line-icon.tsx'

interface SignedInRoute {
  /** The document's title; null if the screen sets it. */
  title: string | null
  Screen: ComponentType & { preload?: () => void }
  /** How the navigation shows it; without it, the screen is opened from others. */
  navigation?: {
    label: string
    Icon: ComponentType<IconProps>
    /** The key that opens it. */
    shortcut?: string
  }
}

const PrayerScreen = lazyComponent(
  async () => (await import('#web/features/prayer-page/prayer-screen.tsx')).PrayerScreen,
)

/** The page of the prayer whose id is in the URL. */
function PrayerRoute() {
  const [path] = useLocation()
  const id = prayerIdIn(path) ?? ''
  return <PrayerScreen key={id} id={id} />
}
PrayerRoute.preload = PrayerScreen.preload

const YearScreen = lazyComponent(
  async () => (await import('#web/features/answered/year-screen.tsx')).YearScreen,
)

/** The book of the year that is in the URL. */
function YearRoute() {
  const [path] = useLocation()
  return <YearScreen year={yearIn(path) ?? ''} />
}
YearRoute.preload = YearScreen.preload

const SETTINGS_ROUTE: SignedInRoute = {
  title: null,
  Screen: lazyComponent(
    async () => (await import('#web/features/settings/settings-screen.tsx')).SettingsScreen,
  ),
}

/** The screens for signed-in users, in the order in which the navigation shows them. */
export const SIGNED_IN_ROUTES: Readonly<Record<(typeof SIGNED_IN_PATHS)[number], SignedInRoute>> = {
  [DASHBOARD]: {
    title: 'Prayer Dashboard',
    Screen: DashboardScreen,
    navigation: { label: 'Prayers', Icon: PrayersIcon },
  },
  [PRAY]: {
    title: 'Pray',
    Screen: lazyComponent(async () => (await import('#web/features/pray/pray-screen.tsx')).PrayScreen),
    navigation: { label: 'Pray', Icon: PrayIcon, shortcut: 'p' },
  },
  [ANSWERED]: {
    title: 'Answered',
    Screen: lazyComponent(
      async () => (await import('#web/features/answered/answered-screen.tsx')).AnsweredScreen,
    ),
    navigation: { label: 'Answered', Icon: LightIcon },
  },
  [YEAR]: {
    title: 'Your year',
    Screen: YearRoute,
  },
  [SEARCH]: {
    title: 'Search',
    Screen: lazyComponent(async () => (await import('#web/features/search/search-screen.tsx')).SearchScreen),
    navigation: { label: 'Search', Icon: SearchIcon, shortcut: '/' },
  },
  [PRAYER]: { title: null, Screen: PrayerRoute },
  [MANAGE_CATEGORIES]: {
    title: 'Manage Categories',
    Screen: lazyComponent(
      async () =>
        (await import('#web/features/categories/manage-categories-screen.tsx')).ManageCategoriesScreen,
    ),
  },
  [SETTINGS]: SETTINGS_ROUTE,
  [PROFILE]: SETTINGS_ROUTE,
  [APPEARANCE]: SETTINGS_ROUTE,
  [REMINDERS]: SETTINGS_ROUTE,
  [DEVICES]: SETTINGS_ROUTE,
  [ON_THIS_DEVICE]: SETTINGS_ROUTE,
  [PRAYER_KEY]: SETTINGS_ROUTE,
  [YOUR_DATA]: SETTINGS_ROUTE,
  [ACCOUNT]: { title: null, Screen: () => <Redirect to={YOUR_DATA} replace /> },
}

/** The screens that the navigation leads to. */
export const PLACES = Object.entries(SIGNED_IN_ROUTES).flatMap(([path, { navigation }]) =>
  navigation ? [{ path, ...navigation }] : [],
)
