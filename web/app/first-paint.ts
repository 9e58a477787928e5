import { readStoredText, showAppearance } from '#web/lib/appearance/show-appearance.ts'
import { SESSION_STORAGE_KEY } from '#web/lib/session/session-key.ts'

// Runs before the page is painted: a script of its own, which the page waits for (web/build/first-paint-plugin.ts).
showAppearance()
// Another tab may change it.
addEventListener('storage', showAppearance)

// Signing in needs this chunk: load it beside the app instead of after it.
const chunk = document.currentScript?.dataset['signInChunk']
const hasSession = readStoredText(SESSION_STORAGE_KEY) !== ''
if (chunk && !hasSession) {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = chunk
  document.head.append(link)
}
