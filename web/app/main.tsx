import { createRoot, type Root } from 'react-dom/client'
import { SESSION_STORAGE_KEY } from '#web/lib/session-storage-key.ts'
import { arrival, followPastedLinks, openedPath } from '#web/lib/arrival.ts'
import { keepDeepLink } from '#web/lib/deep-link.ts'
import { AUTH_CALLBACK } from '#web/lib/paths.ts'
import { currentRecovery } from '#web/lib/recovery.ts'
import { currentSession, startSession } from '#web/lib/session.ts'
import '#web/ui/ui.css'
import { App } from './app.tsx'
import { decideRoute, needsSession } from './decide-route.ts'
import { noteForSignedIn } from './recovery-notice.ts'
import { preloadScreen } from './screens.ts'
import { StartingScreen } from './starting-screen.tsx'

/** A start that takes no longer shows nothing of its own. */
const PATIENCE_MS = 150

const container = document.getElementById('root')
if (container) void start(createRoot(container))

/** Finds out who is here, then shows the app. */
async function start(root: Root): Promise<void> {
  followPastedLinks()
  preloadLikelyScreen()
  const isReturning = openedPath === AUTH_CALLBACK
  const waiting = setTimeout(
    () => root.render(<StartingScreen isReturning={isReturning} />),
    isReturning ? 0 : PATIENCE_MS,
  )
  const problem = await startSession()
  clearTimeout(waiting)
  const isGuest = currentSession().status === 'guest'
  if (isGuest && needsSession(openedPath)) keepDeepLink(openedPath)
  if (!isGuest) noteForSignedIn()
  const reported = arrival.kind === 'failure' ? arrival.description : null
  root.render(<App problems={{ reported, initialising: problem }} />)
}

/** Whoever has a session stored will most likely see the screen that it opens: fetch it while the session starts. */
function preloadLikelyScreen(): void {
  const signedIn = localStorage.getItem(SESSION_STORAGE_KEY) !== null
  const visit = { signedIn, recovery: currentRecovery().stage, deepLink: null }
  const first = decideRoute({ ...visit, path: openedPath })
  const decision = 'redirect' in first ? decideRoute({ ...visit, path: first.redirect }) : first
  if ('show' in decision) preloadScreen(decision.show)
}
