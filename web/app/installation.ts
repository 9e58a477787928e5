import { createStore } from '#web/lib/storage/store.ts'
import { whenIdle } from '#web/lib/loading/when-idle.ts'

/**
 * Registers the service worker when the browser is idle; it opens the app without the network. Offers new versions. There is none in
 * development and on plain http.
 */
export function installServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  whenIdle(() => void register().catch(() => undefined))
}

async function register(): Promise<void> {
  const { registerServiceWorker } = await import('./register-service-worker.ts')
  await registerServiceWorker(navigator.serviceWorker)
}

/** Chromium's event; other browsers offer the installation in their own menus, if at all. */
interface InstallPromptEvent extends Event {
  prompt: () => Promise<unknown>
}

/** Shows the browser's dialog that installs the app; null if the browser does not offer it, or the app is installed. */
export const installApp = createStore<(() => void) | null>(null)

/** Keeps the browser's offer to install the app for the account menu, instead of the browser showing it by itself. */
export function keepInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    if (!isInstallPrompt(event)) return
    event.preventDefault()
    installApp.set(() => {
      installApp.set(null)
      void event.prompt()
    })
  })
  addEventListener('appinstalled', () => installApp.set(null))
}

function isInstallPrompt(event: Event): event is InstallPromptEvent {
  return 'prompt' in event
}
