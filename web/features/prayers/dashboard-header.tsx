import { Link } from 'wouter'
import { MANAGE_CATEGORIES } from '#web/lib/paths.ts'
import { CategoriesIcon } from '#web/ui/icons.tsx'
import { PillLink } from '#web/ui/link.tsx'
import { BibleQuote } from './bible-quote.tsx'

/** Where one is, what it is for, and the word over it. */
export function DashboardHeader() {
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 tabIndex={-1} className="text-3xl tracking-tight">
            Prayer Dashboard
          </h1>
          <p className="mt-1.5 text-ink-soft">Track your prayer requests and celebrate the answers</p>
        </div>
        <Link href={MANAGE_CATEGORIES} asChild>
          <PillLink>
            <CategoriesIcon />
            Manage Categories
          </PillLink>
        </Link>
      </div>
      <BibleQuote />
    </div>
  )
}
