import { unpackBundledBrowser } from './bundled-browser.ts'
import { findInstalledBrowser } from './installed-browser.ts'

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
 * Finds the browser for the tests: the one that TEST_BROWSER names (a path, or `bundled`), else an installed Chrome or
 * Chromium, else the one that comes with the development dependencies.
 */
export async function findBrowser(
  wanted: string | undefined = process.env['TEST_BROWSER'],
): Promise<Browser> {
  const installed = wanted === 'bundled' ? null : findInstalledBrowser(wanted)
  const browser =
    installed === null ? await unpackBundledBrowser() : { executablePath: installed, args: [], env: {} }
  return { ...browser, args: [...QUIET, ...browser.args] }
}
