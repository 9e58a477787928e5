import type { User } from '@supabase/auth-js'
import { type MouseEvent, Suspense, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useEncryptionState } from '#web/data/encryption-status.ts'
import { useCountUnsaved, useOverdue, useSyncStatus } from '#web/data/sync-status.ts'
import { UserDataProvider } from '#web/data/user-data.tsx'
import { config, PRODUCT_NAME } from '#web/lib/config.ts'
import { countText } from '#web/lib/count-text.ts'
import { lazyComponent } from '#web/lib/loading/lazy-chunk.ts'
import { shortcutList } from '#web/lib/navigation/navigation-state.ts'
import { DASHBOARD, listedPath, SETTINGS } from '#web/lib/navigation/routes.ts'
import { keyPressed, lettersOff } from '#web/lib/navigation/shortcuts.ts'
import { signOut } from '#web/lib/session/session.ts'
import { useStore } from '#web/lib/storage/store.ts'
import { avatarUrl, displayName, hasXIdentity, initial } from '#web/lib/session/user-profile.ts'
import { ProductMark, XLogo } from '#web/ui/brand-icons.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { ChevronDownIcon, DownloadIcon, KeyboardIcon, SettingsIcon, SignOutIcon } from '#web/ui/icons.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { closeMenu, Menu, MenuItem, MenuLink } from '#web/ui/menu.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'
import { installApp } from './installation.ts'
import { laterComponent, useLoadLater } from './load-later.tsx'
import { PLACES } from './signed-in-routes.tsx'
import './signed-in.css'

const Shortcuts = laterComponent(async () => (await import('./app-shortcuts.tsx')).Shortcuts)
const RejectedChangesButton = laterComponent(
  async () => (await import('./rejected-changes-dialogs.tsx')).RejectedChangesButton,
)
const SignOutDialog = lazyComponent(async () => (await import('./sign-out-dialog.tsx')).SignOutDialog)

/** At the top of every screen for signed-in users: the way to the places, and the account menu. */
export function NavigationBar({ user }: { user: User }) {
  const [path] = useLocation()
  return (
    <>
      <header className="top-0 z-20 border-b border-line bg-surface tall:sticky print:hidden">
        <div className="mx-auto flex min-h-header max-w-page items-center justify-between gap-2 px-4 sm:px-8">
          <Link
            href={DASHBOARD}
            className="flex min-h-11 max-w-1/2 min-w-0 shrink-0 items-center gap-2.5 rounded-md font-serif text-xl font-semibold tracking-tight"
          >
            <ProductMark />
            <span className="product-name truncate">{PRODUCT_NAME}</span>
          </Link>
          <PlacesNavigation current={listedPath(path)} />
          {/* Public pages show the bar too. */}
          <UserDataProvider userId={user.id}>
            <div className="flex min-w-0 items-center gap-1">
              <RejectedChangesButton />
              <AccountMenu user={user} />
            </div>
          </UserDataProvider>
        </div>
      </header>
      <Shortcuts />
    </>
  )
}

/** Links to the places: at the bottom of small screens, in the bar at the top of others. */
export function PlacesNavigation({ current }: { current: string }) {
  return (
    <nav aria-label="Places" className="places">
      {PLACES.map(({ path, label, Icon, shortcut }) => (
        <Link
          key={path}
          href={path}
          aria-current={path === current ? 'page' : undefined}
          aria-keyshortcuts={shortcut}
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

/** The avatar, and the menu behind it. */
export function AccountMenu({ user }: { user: User }) {
  const name = displayName(user)
  const { busy, unsaved, start, confirm, cancel } = useSignOut()
  const waiting = useOverdueText()
  useLoadLater(SignOutDialog.preload)
  return (
    <>
      {/* Without the number, which changes while the changes are being sent. */}
      <p role="status" className="sr-only">
        {waiting !== null && 'Changes are waiting to be sent'}
      </p>
      <Menu
        label={[`${name}: account menu`, waiting].filter(Boolean).join(', ')}
        triggerClassName="flex min-h-11 max-w-full min-w-0 items-center gap-2 rounded-full py-1 pr-2 pl-1 transition-colors hover:bg-sunken"
        trigger={
          <>
            <span className="relative shrink-0">
              <Avatar name={name} url={avatarUrl(user, config.picturePath)} />
              {waiting !== null && <Dot className="absolute top-0 right-0 ring-2 ring-surface" />}
            </span>
            <span className="account-name min-w-0 truncate text-sm font-medium">{name}</span>
            <ChevronDownIcon className="size-4 text-ink-faint" />
          </>
        }
        header={<AccountSummary user={user} name={name} waiting={waiting} />}
      >
        <Link href={SETTINGS} replace asChild>
          <MenuLink>
            <SettingsIcon className="text-ink-faint" />
            Settings
          </MenuLink>
        </Link>
        <ShortcutsItem />
        <InstallItem />
        <MenuItem aria-disabled={busy || undefined} onClick={start}>
          {busy ? <Spinner /> : <SignOutIcon className="text-ink-faint" />}
          {busy ? 'Signing out...' : 'Sign out'}
        </MenuItem>
      </Menu>
      {unsaved !== null && (
        <Suspense>
          <SignOutDialog count={unsaved} onConfirm={confirm} onCancel={cancel} />
        </Suspense>
      )}
    </>
  )
}

/** How many changes are waiting, once they have been for longer than usual; otherwise null. */
function useOverdueText(): string | null {
  const { waiting } = useSyncStatus()
  const isOverdue = useOverdue()
  if (!isOverdue || waiting === 0) return null
  return `${countText(waiting, 'change')} waiting`
}

/** A dot of 6 px. It is a border, because forced colours remove backgrounds. */
function Dot({ className }: { className: string }) {
  return <span className={`rounded-full border-3 border-info ${className}`} />
}

/** Signing out removes everything from this device: asks first if the server does not have all of it, or the prayer key will be needed. */
function useSignOut() {
  const countUnsaved = useCountUnsaved()
  const { busy, submit } = useSubmission()
  const isEncrypted = useEncryptionState() !== 'off'
  const [unsaved, setUnsaved] = useState<number | null>(null)
  return {
    busy,
    /** The number of changes that would be lost, while the user is being asked; otherwise null. */
    unsaved,
    start: () =>
      void submit(async () => {
        const count = await countUnsaved()
        if (count > 0 || isEncrypted) setUnsaved(count)
        else await signOut()
      }),
    confirm: () => {
      setUnsaved(null)
      void submit(signOut)
    },
    cancel: () => setUnsaved(null),
  }
}

interface AvatarProps {
  name: string
  url: string | null
}

/** The user's picture, or the first letter of the name if there is no picture or it doesn't load. */
export function Avatar({ name, url }: AvatarProps) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  const shape = 'size-9 shrink-0 rounded-full'
  if (url !== null && url !== brokenUrl) {
    return (
      <img
        src={url}
        alt=""
        width={36}
        height={36}
        referrerPolicy="no-referrer"
        onError={() => setBrokenUrl(url)}
        className={`${shape} border border-line object-cover`}
      />
    )
  }
  return (
    <span
      aria-hidden="true"
      className={`${shape} flex items-center justify-center border border-line bg-sunken font-serif text-lg leading-none font-semibold text-ink-soft`}
    >
      {initial(name)}
    </span>
  )
}

interface AccountSummaryProps {
  user: User
  name: string
  /** How many changes are waiting; null if that is not worth mentioning. */
  waiting: string | null
}

function AccountSummary({ user, name, waiting }: AccountSummaryProps) {
  return (
    <div className="mb-2 border-b border-line px-3 pt-2 pb-3">
      <p className="font-serif text-lg font-semibold wrap-anywhere">{name}</p>
      {user.email && <p className="text-sm text-ink-soft wrap-anywhere">{user.email}</p>}
      {hasXIdentity(user) && (
        <Badge tone="info" className="mt-2">
          <XLogo className="size-3" />
          Signed in with Twitter
        </Badge>
      )}
      {waiting !== null && (
        <p className="mt-2 flex items-center gap-2 text-sm text-ink-soft">
          <Dot className="shrink-0" />
          {waiting}
        </p>
      )}
    </div>
  )
}

/** For users who have switched its key off. Hidden on a touch screen until a key is pressed. */
export function ShortcutsItem() {
  const isKeyPressed = useStore(keyPressed)
  const isOff = useStore(lettersOff) !== null
  const hasKeyboard = isKeyPressed || isOff || matchMedia('(hover: hover) and (pointer: fine)').matches
  if (!hasKeyboard) return null
  return (
    <MenuItem
      onClick={(event) => {
        closeMenu(event.currentTarget)
        shortcutList.set(true)
      }}
    >
      <KeyboardIcon className="text-ink-faint" />
      Keyboard shortcuts
    </MenuItem>
  )
}

/** Shown only where the browser offers to install the app. */
function InstallItem() {
  const install = useStore(installApp)
  if (install === null) return null
  const start = (event: MouseEvent<HTMLButtonElement>) => {
    closeMenu(event.currentTarget)
    install()
  }
  return (
    <MenuItem onClick={start}>
      <DownloadIcon className="text-ink-faint" />
      Install the app
    </MenuItem>
  )
}
