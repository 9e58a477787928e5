import type { ComponentType } from 'react'
import { Link, Redirect, useLocation } from 'wouter'
import { useSyncNow } from '#web/data/user-data.tsx'
import { useDocumentTitle } from '#web/lib/navigation/document-title.ts'
import {
  APPEARANCE,
  DASHBOARD,
  DEVICES,
  ON_THIS_DEVICE,
  PRAYER_KEY,
  PROFILE,
  REMINDERS,
  SETTINGS,
  YOUR_DATA,
} from '#web/lib/navigation/routes.ts'
import { useUser } from '#web/lib/session/session.ts'
import { Card } from '#web/ui/card.tsx'
import { ChevronDownIcon } from '#web/ui/icons.tsx'
import { ArrowLeftIcon } from '#web/ui/page-icons.tsx'
import { PillLink } from '#web/ui/pill-link.tsx'
import { AppearanceSections } from './appearance-sections.tsx'
import { DeleteSection } from './your-data/delete-section.tsx'
import { DevicesSection } from './account/devices-section.tsx'
import { ExportSection } from './your-data/export-section.tsx'
import { ImportSection } from './your-data/import-section.tsx'
import { OnThisDeviceSection } from './your-data/on-this-device-section.tsx'
import { PrayerKeySection } from './prayer-key/prayer-key-section.tsx'
import { ProfileSections } from './account/profile-sections.tsx'
import { RemindersSections } from './reminders/reminders-sections.tsx'

interface SettingsPage {
  path: string
  title: string
  text: string
  Content: ComponentType
}

const PAGES: readonly SettingsPage[] = [
  {
    path: PROFILE,
    title: 'Profile',
    text: 'Your name, and how you sign in',
    Content: ProfileSections,
  },
  {
    path: APPEARANCE,
    title: 'Appearance',
    text: 'How the app looks and opens on this device',
    Content: AppearanceSections,
  },
  {
    path: REMINDERS,
    title: 'Reminders',
    text: 'When you want to be reminded to pray',
    Content: RemindersSections,
  },
  {
    path: DEVICES,
    title: 'Devices',
    text: 'Where you are signed in',
    Content: DevicesSection,
  },
  {
    path: ON_THIS_DEVICE,
    title: 'On this device',
    text: 'What this browser keeps, and what waits to be sent',
    Content: OnThisDeviceSection,
  },
  {
    path: PRAYER_KEY,
    title: 'Who can read your prayers',
    text: 'Keep them from whoever runs this server',
    Content: PrayerKeySection,
  },
  {
    path: YOUR_DATA,
    title: 'Your data',
    text: 'Take it along, bring it back, or remove it',
    Content: YourData,
  },
]

/** Where the list of pages is beside the page that is open. Smaller screens show one or the other. */
const WIDE = '(width >= 48rem)'

/** `/settings`, and its pages. */
export function SettingsScreen() {
  const [location] = useLocation()
  const page = PAGES.find(({ path }) => location.startsWith(path))
  useDocumentTitle(page?.title ?? 'Settings')
  if (page) return <OpenPage {...page} />
  return matchMedia(WIDE).matches ? <Redirect to={PROFILE} replace /> : <ListOfPages />
}

function OpenPage({ path, title, text, Content }: SettingsPage) {
  return (
    <div className="flex flex-col gap-4 sm:gap-6">
      <BackLink href={SETTINGS} label="Settings" className="md:hidden print:hidden" />
      <BackLink href={DASHBOARD} label="Back to Dashboard" className="max-md:hidden print:hidden" />
      <div className="md:grid md:grid-cols-[min(--spacing(52),28%)_minmax(0,var(--container-prose))] md:gap-x-8 lg:gap-x-12 print:block">
        <SideList current={path} />
        <div className="flex min-w-0 flex-col gap-4 sm:gap-6">
          <div className="print:hidden">
            <h1 tabIndex={-1} className="text-2xl tracking-tight sm:text-3xl">
              {title}
            </h1>
            <p className="mt-0.5 text-sm text-ink-soft sm:text-base">{text}</p>
          </div>
          <Card className="divide-y divide-line">
            <Content />
          </Card>
        </div>
      </div>
    </div>
  )
}

function SideList({ current }: { current: string }) {
  return (
    <nav aria-labelledby="settings" className="max-md:hidden print:hidden">
      <p id="settings" className="flex min-h-11 items-center px-3 font-serif text-xl font-semibold">
        Settings
      </p>
      <ul className="flex flex-col gap-0.5">
        {PAGES.map(({ path, title }) => (
          <li key={path}>
            <Link
              href={path}
              aria-current={path === current ? 'page' : undefined}
              className="flex min-h-11 items-center rounded-md px-3 py-2 text-ink-soft transition-colors hover:text-ink aria-[current]:bg-accent-soft aria-[current]:font-medium aria-[current]:text-accent forced-colors:aria-[current]:underline"
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function ListOfPages() {
  return (
    <div className="flex flex-col gap-4 sm:gap-6">
      <BackLink href={DASHBOARD} label="Back to Dashboard" />
      <h1 tabIndex={-1} className="text-2xl tracking-tight sm:text-3xl">
        Settings
      </h1>
      <Card>
        <ul className="divide-y divide-line">
          {PAGES.map(({ path, title, text }) => (
            <li key={path}>
              <Link
                href={path}
                className="flex items-center justify-between gap-4 px-4 py-3 transition-colors hover:bg-sunken"
              >
                <span>
                  <span className="block font-medium">{title}</span>
                  <span className="block text-sm text-ink-soft">{text}</span>
                </span>
                <ChevronDownIcon className="-rotate-90 text-ink-faint" />
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )
}

interface BackLinkProps {
  href: string
  label: string
  className?: string
}

function BackLink({ href, label, className = '' }: BackLinkProps) {
  return (
    <div className={className}>
      <Link href={href} asChild>
        <PillLink>
          <ArrowLeftIcon />
          {label}
        </PillLink>
      </Link>
    </div>
  )
}

/** Export, import, and deleting the account. */
function YourData() {
  const user = useUser()
  const syncNow = useSyncNow()
  return (
    <>
      <ExportSection user={user} />
      <ImportSection onSent={syncNow} />
      <DeleteSection user={user} />
    </>
  )
}
