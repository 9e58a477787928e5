import { type ReactNode, Suspense, useEffect } from 'react'
import { useLocation } from 'wouter'
import { useEncryptionProblem } from '#web/data/encryption-status.ts'
import { useConnection, useSyncStatus } from '#web/data/sync-status.ts'
import { callNotifications, UserDataProvider } from '#web/data/user-data.tsx'
import { answerToRecord, notice, returnPath } from '#web/lib/navigation/navigation-state.ts'
import { lazyComponent } from '#web/lib/loading/lazy-chunk.ts'
import { SETTINGS } from '#web/lib/navigation/routes.ts'
import { useUser } from '#web/lib/session/session.ts'
import { useStore } from '#web/lib/storage/store.ts'
import { AnnouncementProvider } from '#web/ui/announcements.tsx'
import { Banner } from '#web/ui/messages.tsx'
import { Footer, SkipLink } from './layouts.tsx'
import { laterComponent, useLoadLater } from './load-later.tsx'
import { NavigationBar } from './navigation-bar.tsx'

const RecordAnswer = lazyComponent(
  async () => (await import('#web/features/prayers/record-answer.tsx')).RecordAnswer,
)
const OutdatedNotice = laterComponent(async () => (await import('./new-version-notice.tsx')).OutdatedNotice)
export const EncryptionProblem = lazyComponent(
  async () => (await import('./encryption-problem.tsx')).EncryptionProblem,
)

interface SignedInLayoutProps {
  /** Called once the lists are there and the browser is idle. */
  onIdle: () => void
  children: ReactNode
}

/** The layout of the screens for signed-in users. */
export function SignedInLayout({ onIdle, children }: SignedInLayoutProps) {
  const user = useUser()
  const [path] = useLocation()
  const recorded = useStore(answerToRecord)
  useEffect(() => returnPath.set(null), [])
  return (
    <UserDataProvider userId={user.id}>
      <AnnouncementProvider page={path}>
        <SkipLink />
        <NavigationBar user={user} />
        <main
          id="main"
          tabIndex={-1}
          className="peer mx-auto flex w-full max-w-page flex-1 flex-col gap-6 px-3 py-3 sm:px-8 sm:pt-10 sm:pb-6 print:p-0"
        >
          <Notices />
          <ReadableScreen>{children}</ReadableScreen>
          <ConnectionNotice />
        </main>
        <Footer />
        <Preload onIdle={onIdle} />
        {recorded !== null && (
          <Suspense>
            <RecordAnswer key={recorded.prayerId} {...recorded} />
          </Suspense>
        )}
      </AnnouncementProvider>
    </UserDataProvider>
  )
}

/** The screen, below what the user has to do first. Without any row it would only wait for them. */
function ReadableScreen({ children }: { children: ReactNode }) {
  const problem = useEncryptionProblem()
  const [path] = useLocation()
  const isShown = problem === null || problem.hasRows || path.startsWith(SETTINGS)
  return (
    <>
      {!isShown && (
        <h1 tabIndex={-1} className="text-2xl tracking-tight sm:text-3xl">
          Your prayers
        </h1>
      )}
      {problem && (
        <Suspense>
          <EncryptionProblem />
        </Suspense>
      )}
      {isShown && children}
    </>
  )
}

function Preload({ onIdle }: Pick<SignedInLayoutProps, 'onIdle'>) {
  useLoadLater(RecordAnswer.preload)
  useLoadLater(onIdle)
  useLoadLater(watchNotifications)
  return null
}

function watchNotifications(): void {
  callNotifications('watchNotifications')
}

function Notices() {
  const message = useStore(notice)
  return (
    <>
      <OutdatedNotice />
      {message && (
        <Banner tone="notice" onDismiss={() => notice.set(null)}>
          {message}
        </Banner>
      )}
    </>
  )
}

/** A line at the bottom of the window while the server cannot be reached. The live region has to exist before it has a text. */
export function ConnectionNotice() {
  const connection = useConnection()
  const { durable } = useSyncStatus()
  return (
    <div role="status" className="connection-notice print:hidden">
      {connection !== 'connected' && (
        <p>
          {connection === 'offline' ? 'You are offline.' : 'No connection.'}{' '}
          {durable ? 'Changes are kept on this device.' : 'Nothing can be saved now.'}
        </p>
      )}
    </div>
  )
}
