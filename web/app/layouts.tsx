import type { MouseEvent, ReactNode } from 'react'
import { Link } from 'wouter'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { PRIVACY, SIGN_IN, TERMS } from '#web/lib/navigation/routes.ts'
import { isKnownBrowser } from '#web/lib/session/stored-session.ts'
import { ProductMark } from '#web/ui/brand-icons.tsx'
import { LightIcon, LockIcon, PrayIcon } from '#web/ui/line-icon.tsx'
import { Spinner } from '#web/ui/loading.tsx'

/** What this is, for somebody who has never signed in here. */
const FIRST_VISIT = [
  [PrayIcon, 'Today shows whom to pray for.'],
  [LightIcon, 'Answered remembers what God has done.'],
  [LockIcon, 'Private, and works offline.'],
] as const

/** The layout of the sign-in screens: a card in front of a landscape at dawn. */
export function GuestLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <SkipLink />
      <div className="dawn-landscape" />
      <ProductHeader>
        <p className="-mt-1.5 pb-1 text-xs text-balance text-ink-soft sm:-mt-3 sm:text-sm">
          A calm, private place to keep the people you pray for.
        </p>
        {!isKnownBrowser() && (
          <ul className="gap-x-6 pb-1 lg:flex text-xs text-ink-soft sm:text-sm">
            {FIRST_VISIT.map(([Icon, text]) => (
              <li key={text} className="flex gap-2">
                <Icon />
                {text}
              </li>
            ))}
          </ul>
        )}
      </ProductHeader>
      <main
        id="main"
        tabIndex={-1}
        className="peer flex flex-1 items-start justify-center px-4 py-2 sm:items-center sm:px-8"
      >
        {children}
      </main>
      <Footer />
    </>
  )
}

/** Lets keyboard users skip the navigation. */
export function SkipLink() {
  const skip = (event: MouseEvent) => {
    event.preventDefault()
    document.getElementById('main')?.focus()
  }
  return (
    <a
      href="#main"
      onClick={skip}
      className="sr-only z-30 rounded-md border border-line bg-raised px-4 py-3 font-medium text-accent shadow-raised focus:not-sr-only focus:absolute focus:top-3 focus:left-3"
    >
      Skip to content
    </a>
  )
}

/** @param children shown under the product's name, which stays where it is */
export function ProductHeader({ children }: { children?: ReactNode }) {
  return (
    <header className="mx-auto w-full max-w-page px-4 sm:px-8">
      <Link
        href={SIGN_IN}
        className="flex min-h-header w-fit max-w-full items-center gap-2.5 rounded-md font-serif text-xl font-semibold tracking-tight"
      >
        <ProductMark />
        <span data-product-name className="min-w-0 truncate">
          {PRODUCT_NAME}
        </span>
      </Link>
      {children}
    </header>
  )
}

const YEAR = new Date().getFullYear()
const FOOTER_LINK = 'inline-flex min-h-11 min-w-11 items-center rounded-sm underline-offset-4 hover:underline'

/** Hidden while a screen is loading, so that it doesn't move when the screen appears. */
export function Footer() {
  return (
    <footer className="mx-auto flex print:hidden peer-has-data-waiting:hidden w-full max-w-page flex-wrap items-center justify-between gap-x-6 px-4 pb-1.25 text-sm text-ink-soft sm:px-8">
      <p>
        © {YEAR} {PRODUCT_NAME}
      </p>
      <nav aria-label="Legal" className="flex gap-6">
        <Link href={TERMS} className={FOOTER_LINK}>
          Terms
        </Link>
        <Link href={PRIVACY} className={FOOTER_LINK}>
          Privacy
        </Link>
      </nav>
    </footer>
  )
}

/** What all screens share. The page contains the same elements, and shows them before the app has started. */
export function StartingScreen() {
  return (
    <>
      <ProductHeader />
      <main className="flex flex-1 flex-col">
        <Loading />
      </main>
    </>
  )
}

/** Shown while a screen is loading; visible only after a short delay. */
export function Loading() {
  return (
    <div data-waiting className="appear-late flex min-h-64 flex-1 items-center justify-center text-ink-faint">
      <Spinner className="size-7" />
      <span className="sr-only">Loading...</span>
    </div>
  )
}
