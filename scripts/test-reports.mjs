import { existsSync, readFileSync } from 'node:fs'
import * as v from 'valibot'

/**
 * @typedef {object} Totals
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

const VitestReport = v.object({
  numPassedTests: v.number(),
  numFailedTests: v.number(),
  numPendingTests: v.number(),
  testResults: v.array(
    v.object({ status: v.string(), assertionResults: v.array(v.object({ status: v.string() })) }),
  ),
})
const PlaywrightReport = v.object({
  stats: v.object({ expected: v.number(), unexpected: v.number(), flaky: v.number(), skipped: v.number() }),
})

/**
 * Counts the tests in Vitest's JSON report.
 * @param {string} path
 * @param {boolean} ok whether Vitest exited without an error; the report lacks errors outside of tests
 * @returns {Totals}
 */
export function countVitest(path, ok) {
  const report = readReport(path, VitestReport)
  if (report === null) return { passed: 0, failed: 1, skipped: 0 }
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  const { numPassedTests: passed, numFailedTests, numPendingTests: skipped } = report
  return withHiddenFailure({ passed, failed: numFailedTests + unloaded.length, skipped }, ok)
}

/**
 * Counts the tests in Playwright's JSON report. A test that passed only when retried counts as failed.
 * @param {string} path
 * @param {boolean} ok
 * @returns {Totals}
 */
export function countPlaywright(path, ok) {
  const report = readReport(path, PlaywrightReport)
  if (report === null) return { passed: 0, failed: 1, skipped: 0 }
  const { expected, unexpected, flaky, skipped } = report.stats
  return withHiddenFailure({ passed: expected, failed: unexpected + flaky, skipped }, ok)
}

/**
 * A runner that failed without a failed test, and a run without tests, count as one failure.
 * @param {Totals} totals
 * @param {boolean} ok
 * @returns {Totals}
 */
function withHiddenFailure({ passed, failed, skipped }, ok) {
  const isHidden = (!ok && failed === 0) || passed + failed === 0
  return { passed, failed: isHidden ? failed + 1 : failed, skipped }
}

/**
 * @template {v.GenericSchema} Schema
 * @param {string} path
 * @param {Schema} schema
 * @returns {v.InferOutput<Schema> | null} null if the runner wrote no complete report
 */
function readReport(path, schema) {
  if (!existsSync(path)) return null
  const result = v.safeParse(schema, JSON.parse(readFileSync(path, 'utf8')))
  return result.success ? result.output : null
}
