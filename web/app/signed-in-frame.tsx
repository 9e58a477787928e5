import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { NavigationBar } from '#web/features/account/navigation-bar.tsx'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { forgetDeepLink } from '#web/lib/deep-link.ts'
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
    return whenIdle(() => {
      preloadScreen('dashboard')
      preloadScreen('manage-categories')
    })
  }, [])
  return (
    <OwnData key={user.id}>
      <AnnouncementProvider>
        <SkipLink />
        <NavigationBar productName={PRODUCT_NAME} user={user} />
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto flex w-full max-w-page flex-1 flex-col gap-6 px-4 py-8 sm:px-8 sm:py-12"
        >
          <Notices />
          {children}
        </main>
        <Footer />
      </AnnouncementProvider>
    </OwnData>
  )
}

/** What was fetched for one person goes when that person goes. */
function OwnData({ children }: { children: ReactNode }) {
  const [client] = useState(() => new QueryClient())
  useEffect(() => () => client.clear(), [client])
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
