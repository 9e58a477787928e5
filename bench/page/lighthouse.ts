import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { fieldsOf } from '#shared/fields.ts'
import { findBrowser } from '#tests/support/browser.ts'

const PROGRAM = join(PACKAGE_ROOT, 'node_modules/lighthouse/cli/index.js')
export const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
export type Scores = Record<(typeof CATEGORIES)[number], number>

/**
 * Lighthouse brings more packages than Intercede has, and nobody who runs Intercede needs it. So it is no dependency;
 * the bench uses it where somebody has put it.
 */
export const HAS_LIGHTHOUSE = existsSync(PROGRAM)
export const HOW_TO_GET_LIGHTHOUSE =
  'Lighthouse was not asked: `npm install --no-save lighthouse@13.5.0` puts it where the bench finds it.'

/** Scores from 0 to 1, with its settings for telephones. `folder` is where it may leave its report. */
export async function askLighthouse(url: string, folder: string): Promise<Scores> {
  const { executablePath, args, env } = await findBrowser()
  const report = join(folder, 'lighthouse.json')
  const chrome = ['--headless=new', '--no-sandbox', ...args].join(' ')
  const child = spawn(
    process.execPath,
    [
      PROGRAM,
      url,
      '--quiet',
      '--output=json',
      `--output-path=${report}`,
      `--only-categories=${CATEGORIES.join(',')}`,
      `--chrome-flags=${chrome}`,
    ],
    { env: { ...process.env, ...env, CHROME_PATH: executablePath }, stdio: 'ignore' },
  )
  await once(child, 'exit')
  if (child.exitCode !== 0) throw new Error(`Lighthouse ended with ${String(child.exitCode)}.`)
  return readScores(JSON.parse(await readFile(report, 'utf8')))
}

function readScores(report: unknown): Scores {
  const scoreOf = (category: keyof Scores): number => {
    const score = fieldsOf(fieldsOf(fieldsOf(report)['categories'])[category])['score']
    if (typeof score !== 'number') throw new Error(`Lighthouse gave no score for ${category}.`)
    return score
  }
  return {
    performance: scoreOf('performance'),
    accessibility: scoreOf('accessibility'),
    'best-practices': scoreOf('best-practices'),
    seo: scoreOf('seo'),
  }
}
