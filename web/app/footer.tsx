import { useState } from 'react'
import { Link } from 'wouter'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { PRIVACY, TERMS } from '#web/lib/paths.ts'

const LINK = 'inline-flex min-h-11 items-center rounded-sm underline-offset-4 hover:underline'

/** At the foot of every page. It comes with what stands above it, so that it is never pushed down. */
export function Footer() {
  const [year] = useState(() => new Date().getFullYear())
  return (
    <footer className="mx-auto flex peer-has-data-waiting:hidden w-full max-w-page flex-wrap items-center justify-between gap-x-6 px-5 py-4 text-sm text-ink-soft sm:px-8">
      <p>
        © {year} {PRODUCT_NAME}
      </p>
      <nav aria-label="Legal" className="flex gap-6">
        <Link href={TERMS} className={LINK}>
          Terms
        </Link>
        <Link href={PRIVACY} className={LINK}>
          Privacy
        </Link>
      </nav>
    </footer>
  )
}
