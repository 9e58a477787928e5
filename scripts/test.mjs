import { mkdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { runNode } from './run-command.mjs'
import { runStage, STATIC_STAGES } from './static-stages.mjs'
import { countPlaywright, countVitest } from './test-reports.mjs'

process.chdir(resolve(import.meta.dirname, '..'))

const RESULTS = 'test-results'
const VITEST_REPORT = `${RESULTS}/vitest.json`
// As playwright.config.ts names it.
const PLAYWRIGHT_REPORT = `${RESULTS}/e2e.json`
/** Seconds after which a stage hangs, rather than being slow. */
const LIMITS = { vitest: 900, playwright: 1200 }

const BUILD = { name: 'build', args: ['scripts/build.mjs'] }

/** @type {import('./test-reports.mjs').Totals[]} */
const totals = []

async function runStaticStages() {
  for (const stage of [...STATIC_STAGES, BUILD]) {
    totals.push((await runStage(stage)) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })
  }
}

async function runVitest() {
  console.log('\nunit, web, database, contract, row security and fault tests')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${VITEST_REPORT}`]
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...reporters]
  const { ok } = await runNode(args, { limit: LIMITS.vitest, show: true })
  totals.push(countVitest(VITEST_REPORT, ok))
}

async function runPlaywright() {
  console.log('\nend-to-end tests in a browser')
  const args = ['node_modules/@playwright/test/cli.js', 'test']
  const { ok } = await runNode(args, { limit: LIMITS.playwright, show: true })
  totals.push(countPlaywright(PLAYWRIGHT_REPORT, ok))
}

rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS)
await runStaticStages()
await runVitest()
await runPlaywright()

const passed = totals.reduce((sum, { passed: count }) => sum + count, 0)
const failed = totals.reduce((sum, { failed: count }) => sum + count, 0)
console.log(`\n${passed} passed, ${failed} failed`)
if (failed > 0) process.exitCode = 1
