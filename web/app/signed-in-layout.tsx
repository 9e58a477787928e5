import { type ReactNode, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { UserDataProvider } from '#web/data/user-data.tsx'
import { notice, returnPath } from '#web/lib/navigation-state.ts'
import { useUser } from '#web/lib/session.ts'
import { useStore } from '#web/lib/store.ts'
import { whenIdle } from '#web/lib/when-idle.ts'
import { AnnouncementProvider } from '#web/ui/announcements.tsx'
import { Banner } from '#web/ui/messages.tsx'
import { Footer, SkipLink } from './layouts.tsx'
import { NavigationBar } from './navigation-bar.tsx'

interface SignedInLayoutProps {
  /** Called once, when the browser is idle. */
  onIdle: () => void
  children: ReactNode
}

/** The layout of the screens for signed-in users. */
export function SignedInLayout({ onIdle, children }: SignedInLayoutProps) {
  const user = useUser()
  const notifyIdle = useEffectEvent(onIdle)
  useEffect(() => {
    returnPath.set(null)
    return whenIdle(() => notifyIdle())
  }, [])
  return (
    <UserDataProvider userId={user.id}>
      <AnnouncementProvider>
        <SkipLink />
        <NavigationBar user={user} />
        <main
          id="main"
          tabIndex={-1}
          className="peer mx-auto flex w-full max-w-page flex-1 flex-col gap-6 px-4 py-8 sm:px-8 sm:py-12"
        >
          <Notices />
          {children}
        </main>
        <Footer />
      </AnnouncementProvider>
    </UserDataProvider>
  )
}

function Notices() {
  const message = useStore(notice)
  const online = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)
  return (
    <>
      {!online && (
        <Banner tone="notice">
          You are offline. What you see may be out of date, and nothing can be saved until you are back
          online.
        </Banner>
      )}
      {message && (
        <Banner tone="notice" onDismiss={() => notice.set(null)}>
          {message}
        </Banner>
      )}
    </>
  )
}

function subscribeToNetwork(onChange: () => void): () => void {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}
