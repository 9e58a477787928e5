import { createRoot, type Root } from 'react-dom/client'
import { forgetSignedOutUsers } from '#web/data/kept-data.ts'
import { CompletingSignIn } from '#web/features/sign-in/auth-card.tsx'
import { reportError } from '#web/lib/error-message.ts'
import { onUnauthorized } from '#web/lib/fetch-with-timeout.ts'
import { initialUrl, isOfEmailChange, reloadOnPastedLink } from '#web/lib/session/initial-url.ts'
import { returnPath, startPath } from '#web/lib/navigation/navigation-state.ts'
import { currentRecovery, startRecovery } from '#web/lib/session/recovery.ts'
import { importOrOfferReload } from '#web/lib/loading/reload.ts'
import { startRequestedPrayer } from '#web/lib/navigation/requested-prayer.ts'
import { AUTH_CALLBACK } from '#web/lib/navigation/routes.ts'
import { deleteOnSignOut, session, startSession, storedState } from '#web/lib/session/session.ts'
import { isWanted } from '#web/lib/session/stored-session.ts'
import { startClosingOnBack } from '#web/ui/close-on-back.ts'
import '#web/ui/ui.css'
import { App } from './app.tsx'
import { decideRoute, needsSession } from './decide-route.ts'
import { ScreenFailed } from './error-boundary.tsx'
import { installServiceWorker, keepInstallOffer } from './installation.ts'
import { GuestLayout } from './layouts.tsx'
import { noticeBack } from './screen.tsx'
import { preloadScreen } from './screens.tsx'

const container = document.getElementById('root')
if (container) void start(createRoot(container))

/**
 * Renders the app with the stored session, or, if the page was opened with a link, with the session of the link. Until then
 * the page shows the layout that is part of its HTML. Importing any other module starts nothing.
 */
async function start(root: Root): Promise<void> {
  reloadOnPastedLink()
  startClosingOnBack()
  noticeBack()
  keepInstallOffer()
  onUnauthorized((response) => void checkKey(response).catch(() => undefined))

  // Before the session: starting it may complete an earlier sign-out.
  deleteOnSignOut(async (userId) => (await import('#web/data/user-data.tsx')).deleteUserData(userId))
  startRecovery()
  void startRequestedPrayer()

  preloadLikelyScreen()
  // While the session of the return from X is loading.
  if (initialUrl.path === AUTH_CALLBACK) {
    root.render(
      <GuestLayout>
        <CompletingSignIn />
      </GuestLayout>,
    )
  }
  let initialising: string | null
  try {
    initialising = await startSession()
  } catch (failure) {
    reportError('initialize auth', failure)
    root.render(<ScreenFailed as="main" />)
    return
  }
  const isGuest = session.get().status === 'guest'
  if (isGuest && needsSession(initialUrl.path)) returnPath.set(location.pathname)
  session.subscribe(returnAfterExpiry)

  const { result } = initialUrl
  // A notice says more about a link that changes an address.
  const reported = result.kind === 'failure' && !isOfEmailChange(initialUrl) ? result : null
  root.render(<App initialErrors={{ reported, initialising }} />)
  installServiceWorker()
  forgetSignedOutUsers().catch(() => undefined)
}

/** Users whose session the server has ended return to where they were when they sign in again. */
function returnAfterExpiry(): void {
  const state = session.get()
  const hasEndedByServer = state.status === 'guest' && state.ended && !isWanted(state.ended.reason)
  if (hasEndedByServer && needsSession(location.pathname)) returnPath.set(location.pathname)
}

/** Rarely needed, so it is not part of the first download. */
async function checkKey(response: Response): Promise<void> {
  const { handleRejectedKey } = await importOrOfferReload(() => import('#web/lib/loading/rejected-key.ts'))
  await handleRejectedKey(response)
}

/** With a stored session, the first screen will most likely be needed: loads its chunks at once. */
function preloadLikelyScreen(): void {
  const { status } = storedState()
  const visit = { status, recovery: currentRecovery().stage, returnPath: null, startPath: startPath() }
  const first = decideRoute({ ...visit, path: initialUrl.path })
  const decision = 'redirect' in first ? decideRoute({ ...visit, path: first.redirect }) : first
  if ('show' in decision) preloadScreen(decision.show)
}
