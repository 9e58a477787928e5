import { type ReactNode, useEffect } from 'react'
import { UserDataProvider } from '#web/data/user-data.tsx'
import { NavigationBar } from './navigation-bar.tsx'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { forgetDeepLink } from '#web/lib/deep-link.ts'
import { forgetFarewell } from '#web/lib/farewell.ts'
import { useUser } from '#web/lib/session.ts'
import { AnnouncementProvider } from '#web/ui/announcements.tsx'
import { Footer } from './footer.tsx'
import { Notices } from './notices.tsx'
import { preloadScreen } from './screens.ts'
import { SkipLink } from './skip-link.tsx'
import { whenIdle } from './when-idle.ts'

/** Around the screens of somebody signed in. */
export function SignedInFrame({ children }: { children: ReactNode }) {
  const user = useUser()
  useEffect(() => {
    forgetDeepLink()
    forgetFarewell()
    return whenIdle(() => {
      preloadScreen('dashboard')
      preloadScreen('manage-categories')
    })
  }, [])
  return (
    <UserDataProvider userId={user.id}>
      <AnnouncementProvider>
        <SkipLink />
        <NavigationBar productName={PRODUCT_NAME} user={user} />
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
