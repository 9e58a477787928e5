import { createRoot, type Root } from 'react-dom/client'
import { CompletingSignIn } from '#web/features/sign-in/auth-card.tsx'
import { SESSION_STORAGE_KEY } from '#web/lib/config.ts'
import { initialUrl, reloadOnPastedLink } from '#web/lib/initial-url.ts'
import { notice, returnPath } from '#web/lib/navigation-state.ts'
import { AUTH_CALLBACK } from '#web/lib/paths.ts'
import { currentRecovery, endRecovery } from '#web/lib/recovery.ts'
import { discardRequestOnSignOut, takeRequestedPrayer } from '#web/lib/requested-prayer.ts'
import { session, startSession } from '#web/lib/session.ts'
import '#web/ui/ui.css'
import { App } from './app.tsx'
import { decideRoute, needsSession } from './decide-route.ts'
import { keepInstallOffer, registerServiceWorker } from './installation.ts'
import { GuestLayout, Loading } from './layouts.tsx'
import { preloadScreen } from './screens.ts'

/** Loading the session usually takes less time; showing something else meanwhile would only flicker. */
const LOADING_DELAY_MS = 150

const container = document.getElementById('root')
if (container) void start(createRoot(container))

/** Loads the session, then renders the app. */
async function start(root: Root): Promise<void> {
  reloadOnPastedLink()
  keepInstallOffer()
  void takeRequestedPrayer()
  discardRequestOnSignOut()
  preloadLikelyScreen()
  const returnsFromX = initialUrl.path === AUTH_CALLBACK
  const loading = setTimeout(
    () => root.render(<StartingScreen returnsFromX={returnsFromX} />),
    returnsFromX ? 0 : LOADING_DELAY_MS,
  )
  const initialising = await startSession()
  clearTimeout(loading)
  const isGuest = session.get().status === 'guest'
  if (isGuest && needsSession(initialUrl.path)) returnPath.set(initialUrl.path)
  if (!isGuest) dropRecovery()
  const { result } = initialUrl
  const reported = result.kind === 'failure' ? result.description : null
  root.render(<App initialErrors={{ reported, initialising }} />)
  registerServiceWorker()
}

/** With a stored session, the dashboard will most likely be needed: loads its chunks while the session starts. */
function preloadLikelyScreen(): void {
  const signedIn = localStorage.getItem(SESSION_STORAGE_KEY) !== null
  const visit = { signedIn, recovery: currentRecovery().stage, returnPath: null }
  const first = decideRoute({ ...visit, path: initialUrl.path })
  const decision = 'redirect' in first ? decideRoute({ ...visit, path: first.redirect }) : first
  if ('show' in decision) preloadScreen(decision.show)
}

function StartingScreen({ returnsFromX }: { returnsFromX: boolean }) {
  if (!returnsFromX) return <Loading />
  return (
    <GuestLayout>
      <CompletingSignIn />
    </GuestLayout>
  )
}

/** A recovery link is of no use to signed-in users. A notice explains why the link did nothing. */
function dropRecovery(): void {
  const recovery = currentRecovery()
  if (recovery.stage === 'open') {
    endRecovery()
    notice.set(
      'You are signed in already, so the link for a new password was not used. To set a new password, sign out, then open the link again or ask for a new one.',
    )
  }
  if (recovery.stage === 'failed') {
    endRecovery()
    notice.set(`The link for a new password did not work: ${recovery.message}`)
  }
}
