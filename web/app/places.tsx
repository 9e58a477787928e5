import type { ComponentType } from 'react'
import { Link } from 'wouter'
import { DashboardScreen } from '#web/features/prayers/dashboard-screen.tsx'
import { lazyComponent } from '#web/lib/lazy-chunk.ts'
import { ANSWERED, DASHBOARD, PRAY, SEARCH } from '#web/lib/paths.ts'
import { LightIcon, PrayersIcon, PrayIcon, SearchIcon } from '#web/ui/icons.tsx'
import type { IconProps } from '#web/ui/line-icon.tsx'

/** A screen that the navigation leads to. Its path is also listed in `decide-route.ts`. */
export interface Place {
  path: string
  label: string
  /** The document's title. */
  title: string
  Icon: ComponentType<IconProps>
  Screen: ComponentType & { preload?: () => void }
  /** The key that opens it. */
  shortcut?: string
  /** Whether it is shown as a filled button; one place only. */
  emphasised?: true
}

/** The places, in the order in which the navigation shows them. */
export const PLACES: readonly Place[] = [
  {
    path: DASHBOARD,
    label: 'Prayers',
    title: 'Prayer Dashboard',
    Icon: PrayersIcon,
    Screen: DashboardScreen,
  },
  {
    path: PRAY,
    label: 'Pray',
    title: 'Pray',
    Icon: PrayIcon,
    Screen: lazyComponent(async () => (await import('./pray-place.tsx')).PrayPlace),
    shortcut: 'p',
    emphasised: true,
  },
  {
    path: ANSWERED,
    label: 'Answered',
    title: 'Answered',
    Icon: LightIcon,
    Screen: lazyComponent(async () => (await import('./answered-place.tsx')).AnsweredPlace),
  },
  {
    path: SEARCH,
    label: 'Search',
    title: 'Search',
    Icon: SearchIcon,
    Screen: lazyComponent(async () => (await import('./search-place.tsx')).SearchPlace),
    shortcut: '/',
  },
]

/** Links to the places: at the bottom of small screens, in the bar at the top of others. */
export function PlacesNavigation({ current }: { current: string }) {
  return (
    <nav aria-label="Places" className="places">
      {PLACES.map(({ path, label, Icon, shortcut, emphasised }) => (
        <Link
          key={path}
          href={path}
          aria-current={path === current ? 'page' : undefined}
          aria-keyshortcuts={shortcut}
          data-emphasised={emphasised}
        >
          <span className="places-icon">
            <Icon />
          </span>
          {label}
        </Link>
      ))}
    </nav>
  )
}
