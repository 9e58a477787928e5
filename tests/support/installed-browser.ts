import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The first major version with everything the app is tested for. */
const OLDEST_VERSION = 140
const NAMES = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'chrome',
  'microsoft-edge',
]
const MAC_APPS = ['Google Chrome', 'Chromium', 'Microsoft Edge']
const WINDOWS_APPS = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe']

/**
 * Path of an installed Chrome or Chromium that works and is recent enough; null if there is none.
 * If `wanted` is given, it is the only candidate. Throws if that can't be used.
 */
export function findInstalledBrowser(wanted: string | undefined): string | null {
  const usable = (wanted === undefined ? candidates() : [wanted]).find(isUsable)
  if (usable === undefined && wanted !== undefined) {
    throw new Error(
      `TEST_BROWSER is "${wanted}", which is not a Chrome or Chromium of version ${OLDEST_VERSION} or newer.`,
    )
  }
  return usable ?? null
}

function candidates(): string[] {
  if (process.platform === 'darwin')
    return MAC_APPS.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`)
  if (process.platform === 'win32') {
    const roots = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap(
      (name) => process.env[name] ?? [],
    )
    return roots.flatMap((root) => WINDOWS_APPS.map((app) => join(root, app)))
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
}

/** Whether it prints a version, which stubs that point to an app store do not. */
function isUsable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    // Chrome on Windows opens a window instead of printing its version.
    if (process.platform === 'win32') return true
    const output = execFileSync(path, ['--version'], {
      timeout: 20_000,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return Number(/(?<major>\d+)\./.exec(output)?.groups?.['major'] ?? 0) >= OLDEST_VERSION
  } catch {
    return false
  }
}
