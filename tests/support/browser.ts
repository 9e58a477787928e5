import { execFile, execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

/** A Chrome or Chromium that can be launched on this machine. */
export interface Browser {
  executablePath: string
  args: string[]
  /** Environment variables in addition to the inherited ones. */
  env: Record<string, string>
}

/** Without requests of the browser itself, because the tests account for every request. */
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync']

/**
 * Finds the browser for the tests: the bundled one, whose version is pinned, wherever it runs; elsewhere an installed
 * Chrome or Chromium. TEST_BROWSER overrides this: `installed`, or the path of a Chrome or Chromium.
 * Throws an error that says what to install if there is none.
 */
export async function findBrowser(
  wanted: string | undefined = process.env['TEST_BROWSER'],
): Promise<Browser> {
  const bundle = await unpackBundle()
  const bundled = wanted === undefined && bundle !== null ? bundledBrowser(bundle) : null
  const browser = bundled ?? {
    executablePath: findInstalledBrowser(wanted),
    args: [],
    // Text without any font has no size.
    env: bundle === null ? {} : { FONTCONFIG_FILE: join(bundle, 'fonts/with-system-fonts.conf') },
  }
  return { ...browser, args: [...QUIET, ...browser.args] }
}

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

function findInstalledBrowser(wanted: string | undefined): string {
  const isPath = wanted !== undefined && wanted !== 'installed'
  const usable = (isPath ? [wanted] : candidates()).find((path) => isUsable(path))
  if (usable !== undefined) return usable
  throw new Error(
    isPath
      ? `TEST_BROWSER is "${wanted}", which is not a Chrome or Chromium of version ${OLDEST_VERSION} or newer.`
      : 'No Chrome or Chromium was found for the browser tests. Install one, or set TEST_BROWSER to its path.',
  )
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

/** Whether it prints a version, which neither stubs that point to an app store nor programs for another system do. */
function isUsable(path: string, env: Record<string, string> = {}): boolean {
  try {
    accessSync(path, constants.X_OK)
    // Chrome on Windows opens a window instead of printing its version.
    if (process.platform === 'win32') return true
    const output = execFileSync(path, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, ...env },
    })
    return Number(/(?<major>\d+)\./.exec(output)?.groups?.['major'] ?? 0) >= OLDEST_VERSION
  } catch {
    return false
  }
}

const ROOT = resolve(import.meta.dirname, '../..')
const CACHE = join(ROOT, 'node_modules/.cache/test-browser')
const UNPACK = `import chromium from '@sparticuz/chromium'; await chromium.executablePath()`

/**
 * Unpacks the Chromium of the development dependencies, with the system libraries and the font it needs, into a folder
 * of its own, once per version. Resolves to the folder, or to null on other systems than Linux on x64.
 */
async function unpackBundle(): Promise<string | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const folder = join(CACHE, await bundledVersion())
  if (!existsSync(folder)) await unpackInto(folder)
  return folder
}

/** Null where it does not run, as without glibc. */
function bundledBrowser(folder: string): Browser | null {
  const executablePath = join(folder, 'chromium')
  const env = { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') }
  if (!isUsable(executablePath, env)) return null
  const args = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none']
  return { executablePath, args, env }
}

async function bundledVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const manifest: unknown = JSON.parse(await readFile(resolve(dirname(entry), '../../package.json'), 'utf8'))
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
    return String(manifest.version)
  throw new Error('The package @sparticuz/chromium has no version.')
}

/** The package unpacks into the temporary folder of its process, and unpacks its libraries only in AWS Lambda. */
async function unpackInto(folder: string): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  const unfinished = await mkdtemp(join(CACHE, 'unpacking-'))
  const env = { ...process.env, TMPDIR: unfinished, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' }
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', UNPACK], { cwd: ROOT, env })
  const fonts = join(folder, 'fonts')
  const systemFonts = '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>'
  await writeFile(join(unfinished, 'fonts/fonts.conf'), fontSettings(fonts))
  await writeFile(join(unfinished, 'fonts/with-system-fonts.conf'), fontSettings(fonts, systemFonts))
  try {
    await rename(unfinished, folder)
  } catch (error) {
    // Another worker was faster; its folder has the same content.
    await rm(unfinished, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

/** The package's own settings expect its font at its path in AWS Lambda. */
function fontSettings(folder: string, more = ''): string {
  const places = `<dir>${folder}</dir><cachedir>${join(folder, 'cache')}</cachedir>`
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${more}${places}</fontconfig>`
}
