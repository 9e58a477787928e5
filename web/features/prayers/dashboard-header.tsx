import { Link } from 'wouter'
import { MANAGE_CATEGORIES } from '#web/lib/paths.ts'
import { CategoriesIcon } from '#web/ui/icons.tsx'
import { PillLink } from '#web/ui/link.tsx'

/** The title of the dashboard, the link to the categories, and the Bible quote. */
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

function BibleQuote() {
  return (
    <figure className="border-l-2 border-gold-line pl-4 font-serif text-gold sm:pl-5">
      <blockquote className="text-xl italic">
        <p>“Brethren, pray for us.”</p>
      </blockquote>
      <figcaption className="mt-1 text-sm tracking-wide">1 Thessalonians 5:25</figcaption>
    </figure>
  )
}
