import type { User } from '@supabase/auth-js'
import { Link } from 'wouter'
import { config } from '#web/lib/config.ts'
import { ACCOUNT_DATA } from '#web/lib/paths.ts'
import { avatarUrl, displayName, hasTwitterIdentity } from '#web/lib/user-profile.ts'
import { XLogo } from '#web/ui/brand-icons.tsx'
import { Badge } from '#web/ui/card.tsx'
import { AccountDataIcon, ChevronDownIcon, SignOutIcon } from '#web/ui/icons.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { Menu, MenuItem, MenuLink } from '#web/ui/menu.tsx'
import { Avatar } from './avatar.tsx'
import { useSignOut } from './use-sign-out.ts'

/** Who is signed in, and the way out. */
export function AccountMenu({ user }: { user: User }) {
  const name = displayName(user)
  return (
    <Menu
      label={`${name}: account menu`}
      triggerClassName="flex min-h-11 max-w-full min-w-0 items-center gap-2.5 rounded-full py-1 pr-2 pl-1 transition-colors hover:bg-sunken"
      trigger={
        <>
          <Avatar name={name} url={avatarUrl(user, config.picturePath)} />
          <span className="hidden max-w-48 truncate text-sm font-medium xs:block">{name}</span>
          <ChevronDownIcon className="size-4 text-ink-faint" />
        </>
      }
      header={<AccountSummary user={user} name={name} />}
    >
      <AccountDataItem />
      <SignOutItem />
    </Menu>
  )
}

function AccountSummary({ user, name }: { user: User; name: string }) {
  return (
    <div className="mb-2 border-b border-line px-3 pt-2 pb-3">
      <p className="font-serif text-lg font-semibold wrap-anywhere">{name}</p>
      {user.email && <p className="text-sm text-ink-soft wrap-anywhere">{user.email}</p>}
      {hasTwitterIdentity(user) && (
        <Badge tone="info" className="mt-2">
          <XLogo className="size-3" />
          Signed in with Twitter
        </Badge>
      )}
    </div>
  )
}

function AccountDataItem() {
  return (
    <Link href={ACCOUNT_DATA} asChild>
      <MenuLink>
        <AccountDataIcon className="text-ink-faint" />
        <span>
          Your data
          <span className="block text-xs text-ink-soft">Export, import, delete my account</span>
        </span>
      </MenuLink>
    </Link>
  )
}

function SignOutItem() {
  const { busy, signOut } = useSignOut()
  return (
    <MenuItem aria-disabled={busy || undefined} onClick={signOut}>
      {busy ? <Spinner /> : <SignOutIcon className="text-ink-faint" />}
      {busy ? 'Signing out...' : 'Sign out'}
    </MenuItem>
  )
}
