import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { findBrowser } from '#tests/support/browser.ts'

const PROGRAM = resolve(import.meta.dirname, '../../node_modules/lighthouse/cli/index.js')
export const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
export type Scores = Record<(typeof CATEGORIES)[number], number>

/**
 * Lighthouse consists of more packages than Intercede, and running Intercede does not require it. So it is not a
 * dependency; the benchmark uses it if it is installed.
 */
export const HAS_LIGHTHOUSE = existsSync(PROGRAM)
export const HOW_TO_INSTALL_LIGHTHOUSE =
  'Without Lighthouse. To include it: npm install --no-save lighthouse@13.5.0'

/** Scores from 0 to 1 with the default (mobile) settings. The report is written to `folder`. */
export async function runLighthouse(url: string, folder: string): Promise<Scores> {
  const { executablePath, args, env } = await findBrowser()
  const report = join(folder, 'lighthouse.json')
  const child = spawn(
    process.execPath,
    [
      PROGRAM,
      url,
      '--quiet',
      '--output=json',
      `--output-path=${report}`,
      `--only-categories=${CATEGORIES.join(',')}`,
      `--chrome-flags=${['--headless=new', '--no-sandbox', ...args].join(' ')}`,
    ],
    { env: { ...process.env, ...env, CHROME_PATH: executablePath }, stdio: 'ignore' },
  )
  await once(child, 'exit')
  if (child.exitCode !== 0) throw new Error(`Lighthouse exited with ${String(child.exitCode)}.`)
  const { categories }: { categories: Record<keyof Scores, { score: number | null }> } = JSON.parse(
    await readFile(report, 'utf8'),
  )
  const scoreOf = (category: keyof Scores) => categories[category].score ?? Number.NaN
  return {
    performance: scoreOf('performance'),
    accessibility: scoreOf('accessibility'),
    'best-practices': scoreOf('best-practices'),
    seo: scoreOf('seo'),
  }
}
