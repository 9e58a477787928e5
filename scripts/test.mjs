import { mkdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { runNode } from './run-node.mjs'
import { countPlaywright, countVitest } from './test-reports.mjs'

/**
 * @typedef {import('./test-reports.mjs').Totals} Totals
 * @typedef {object} Stage
 * @property {string} name
 * @property {readonly string[]} args script for Node.js with its arguments
 * @property {number} [limit] seconds after which the stage has hung
 * @property {Record<string, string>} [env]
 * @property {(ok: boolean) => Totals} [count] reads the report of a test runner; other stages count as one test
 */

const RESULTS = 'test-results'
const DEFAULT_LIMIT = 300
const TSC = 'node_modules/typescript/bin/tsc'

/** @type {readonly Stage[]} */
const STATIC_CHECKS = [
  { name: 'format', args: ['node_modules/prettier/bin/prettier.cjs', '--check', '--cache', '.'] },
  { name: 'lint', args: ['node_modules/oxlint/bin/oxlint', '--quiet'] },
  { name: 'types of the server', args: [TSC, '-p', 'tsconfig.json'] },
  { name: 'types of the web app', args: [TSC, '-p', 'web/tsconfig.json'] },
  { name: 'types of the service worker', args: [TSC, '-p', 'web/worker/tsconfig.json'] },
  { name: 'types of the end-to-end tests', args: [TSC, '-p', 'tests/e2e/tsconfig.json'] },
  { name: 'types of the tests', args: [TSC, '-p', 'tests/tsconfig.json'] },
  { name: 'dead code', args: ['node_modules/knip/bin/knip.js'] },
]
/** @type {Stage} */
const BUILD = { name: 'build', args: ['scripts/build.mjs'] }
/** @type {Stage} */
const END_TO_END = {
  name: 'end-to-end tests',
  args: ['node_modules/@playwright/test/cli.js', 'test', '--reporter=dot,json'],
  limit: 1800,
  env: { PLAYWRIGHT_JSON_OUTPUT_NAME: `${RESULTS}/e2e.json` },
  count: (ok) => countPlaywright(`${RESULTS}/e2e.json`, ok),
}

/**
 * @param {string} name
 * @param {readonly string[]} projects all when empty
 * @returns {Stage}
 */
function vitestStage(name, projects) {
  const report = `${RESULTS}/vitest.json`
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
  const selection = projects.map((project) => `--project=${project}`)
  return {
    name,
    args: ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...selection],
    limit: 1800,
    count: (ok) => countVitest(report, ok),
  }
}

/**
 * Runs stages side by side, one per CPU. The longest should come first.
 * @param {readonly Stage[]} stages
 * @returns {Promise<Totals[]>}
 */
async function runSideBySide(stages) {
  const waiting = [...stages]
  /** @type {Totals[]} */
  const totals = []
  const work = async () => {
    for (let stage = waiting.shift(); stage !== undefined; stage = waiting.shift()) {
      totals.push(await run(stage))
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return totals
}

/**
 * @param {Stage} stage
 * @returns {Promise<Totals>}
 */
async function run({ name, args, limit = DEFAULT_LIMIT, env = {}, count = countAsOne }) {
  const { ok, output, seconds } = await runNode(args, { limit, env })
  const totals = count(ok)
  const skipped = totals.skipped === 0 ? '' : `, ${totals.skipped} skipped`
  console.log(`${totals.failed === 0 ? '✓' : '✗'} ${name} (${seconds.toFixed(1)} s)${skipped}`)
  if (totals.failed > 0) console.log(output.trimEnd())
  return totals
}

/**
 * @param {boolean} ok
 * @returns {Totals}
 */
function countAsOne(ok) {
  return ok ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 }
}

/** `npm test` runs everything; `npm run check` (`--fast`) what needs neither PostgreSQL nor a browser. */
async function main() {
  process.chdir(resolve(import.meta.dirname, '..'))
  rmSync(RESULTS, { recursive: true, force: true })
  mkdirSync(RESULTS)
  const started = performance.now()
  const totals = process.argv.includes('--fast')
    ? await runSideBySide([vitestStage('unit tests', ['unit', 'web']), ...STATIC_CHECKS])
    : [
        // Several tests run the production build.
        ...(await runSideBySide([BUILD, ...STATIC_CHECKS])),
        // Each of the next stages uses all CPUs.
        await run(vitestStage('other tests', [])),
        await run(END_TO_END),
      ]
  const passed = totals.reduce((sum, total) => sum + total.passed, 0)
  const failed = totals.reduce((sum, total) => sum + total.failed, 0)
  console.log(`\nFinished in ${((performance.now() - started) / 1000).toFixed(0)} s.`)
  console.log(`${passed} passed, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
}

await main()
