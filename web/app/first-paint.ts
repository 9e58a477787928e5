import { read, showAppearance } from '#web/lib/appearance/show-appearance.ts'
import { SESSION_STORAGE_KEY } from '#web/lib/session/session-key.ts'

// Runs before the page is painted: a script of its own, which the page waits for (web/build/first-paint-plugin.ts).
showAppearance()
// Another tab may change it.
addEventListener('storage', showAppearance)

// Whoever has to sign in needs this chunk soon: it is loaded beside the app, and not only once that runs.
const chunk = document.currentScript?.dataset['signInChunk']
if (chunk && read(SESSION_STORAGE_KEY) === '') {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = chunk
  document.head.append(link)
}
