import type { User } from '@supabase/auth-js'
import { Link } from 'wouter'
import { DASHBOARD } from '#web/lib/paths.ts'
import { ProductMark } from '#web/ui/brand-icons.tsx'
import { AccountMenu } from './account-menu.tsx'

interface NavigationBarProps {
  productName: string
  user: User
}

/** On top of every screen of somebody signed in. */
export function NavigationBar({ productName, user }: NavigationBarProps) {
  return (
    <header className="border-b border-line bg-surface">
      <div className="mx-auto flex min-h-16 max-w-page items-center justify-between gap-4 px-5 sm:px-8">
        <Link
          href={DASHBOARD}
          className="flex min-h-11 min-w-0 items-center gap-2.5 rounded-md font-serif text-xl font-semibold tracking-tight"
        >
          <ProductMark />
          <span className="truncate">{productName}</span>
        </Link>
        <AccountMenu user={user} />
      </div>
    </header>
  )
}
