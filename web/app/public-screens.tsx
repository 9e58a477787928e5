import { type ReactNode, Suspense } from 'react'
import { PrivacyScreen } from '#web/features/legal/privacy-screen.tsx'
import { TermsScreen } from '#web/features/legal/terms-screen.tsx'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { lazyComponent } from '#web/lib/loading/lazy-chunk.ts'
import { PRIVACY, TERMS, TURN_OFF_REMINDER } from '#web/lib/navigation/routes.ts'
import { useSession } from '#web/lib/session/session.ts'
import { Footer, Loading, ProductHeader, SkipLink } from './layouts.tsx'
import { NotFoundScreen } from './not-found-screen.tsx'
import { Screen } from './screen.tsx'

const TurnOffReminderScreen = lazyComponent(
  async () =>
    (await import('#web/features/settings/reminders/turn-off-reminder-screen.tsx')).TurnOffReminderScreen,
)
const NavigationBar = lazyComponent(async () => (await import('./navigation-bar.tsx')).NavigationBar)

const SCREENS = {
  [TERMS]: { title: 'Terms of Service', screen: <TermsScreen productName={PRODUCT_NAME} /> },
  [PRIVACY]: { title: 'Privacy Policy', screen: <PrivacyScreen productName={PRODUCT_NAME} /> },
  [TURN_OFF_REMINDER]: { title: 'Turn off a reminder', screen: <TurnOffReminderScreen /> },
  'not-found': { title: 'Page not found', screen: <NotFoundScreen /> },
}

/** The screens for both guests and signed-in users, in their layout. */
export function PublicScreens({ name }: { name: keyof typeof SCREENS }) {
  const { title, screen } = SCREENS[name]
  return (
    <PublicLayout>
      <Suspense fallback={<Loading />}>
        <Screen title={title} place={name}>
          {screen}
        </Screen>
      </Suspense>
    </PublicLayout>
  )
}

function PublicLayout({ children }: { children: ReactNode }) {
  const session = useSession()
  return (
    <>
      <SkipLink />
      {session.status === 'signed-in' ? (
        <Suspense fallback={<ProductHeader />}>
          <NavigationBar user={session.user} />
        </Suspense>
      ) : (
        <ProductHeader />
      )}
      <main id="main" tabIndex={-1} className="peer flex flex-1 flex-col">
        {children}
      </main>
      <Footer />
    </>
  )
}
