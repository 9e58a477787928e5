import { config, readConfig } from '#web/lib/config.ts'
import { offerReload, reloadFromServer, wasReloaded } from './reload.ts'

/** Whether the page is being compared, or will be loaded again. */
let handling = false

/**
 * Handles the error of a rejected API key, if a response with status 401 is one. Consumes the response. The key is part of
 * the page, and the service worker's copy of the page, or a page left open for long, may be older than the key. If the
 * server's page has another key, the page is loaded again from there: at once if nothing can have been typed yet, else when
 * the user agrees. If it has no other key, perhaps because only some servers have been restarted, the next rejection asks again.
 */
export async function handleRejectedKey(response: Response): Promise<void> {
  if (handling) return
  if (!(await response.text()).includes('Invalid API key') || handling) return
  handling = true
  const key = await currentKey().catch(() => null)
  if (key === null || key === config.anonKey) {
    handling = false
    return
  }
  const reload = () => void reloadFromServer()
  if (isTyping() || wasReloaded()) offerReload(reload)
  else reload()
}

/** The key in the server's page; null if it has none. The service worker handles only navigation, and so not this. */
async function currentKey(): Promise<string | null> {
  const response = await fetch('/', { cache: 'no-store' })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const given = page.querySelector<HTMLMetaElement>('meta[name=intercede-config]')?.content
  return given === undefined ? null : readConfig(given, {}, location.origin).anonKey
}

function isTyping(): boolean {
  return (
    document.querySelector('dialog[open]') !== null ||
    document.activeElement?.matches('input, textarea, select') === true
  )
}
