import { existsSync, readFileSync } from 'node:fs'

/**
 * @typedef {object} Totals
 * @property {number} passed
 * @property {number} failed
 */

/** A file that could not even be loaded fails as one test. */
const ONE_FAILURE = { passed: 0, failed: 1 }

/**
 * Counts the tests in Vitest's JSON report.
 * @param {string} path
 * @param {boolean} ok whether Vitest itself was content: it is not when an error came from outside of any test
 * @returns {Totals}
 */
export function countVitest(path, ok) {
  const report = readReport(path)
  if (report === null) return ONE_FAILURE
  const files = listIn(report, 'testResults')
  const unloaded = files.filter((file) => textIn(file, 'status') === 'failed' && !hasFailedTest(file))
  return settle(
    {
      passed: numberIn(report, 'numPassedTests'),
      failed: numberIn(report, 'numFailedTests') + unloaded.length,
    },
    ok,
  )
}

/** @param {Record<string, unknown>} file */
function hasFailedTest(file) {
  return listIn(file, 'assertionResults').some((test) => textIn(test, 'status') === 'failed')
}

/**
 * Counts the tests in Playwright's JSON report. A test that only passed when repeated counts as failed.
 * @param {string} path
 * @param {boolean} ok
 * @returns {Totals}
 */
export function countPlaywright(path, ok) {
  const stats = readReport(path)?.['stats']
  if (!isRecord(stats)) return ONE_FAILURE
  const failed = numberIn(stats, 'unexpected') + numberIn(stats, 'flaky')
  return settle({ passed: numberIn(stats, 'expected'), failed }, ok)
}

/**
 * No failed test may hide behind a runner that failed otherwise, nor a run without tests pass.
 * @param {Totals} totals
 * @param {boolean} ok
 * @returns {Totals}
 */
function settle(totals, ok) {
  const unexplained = (!ok && totals.failed === 0) || totals.passed + totals.failed === 0
  return unexplained ? { ...totals, failed: totals.failed + 1 } : totals
}

/**
 * @param {string} path
 * @returns {Record<string, unknown> | null}
 */
function readReport(path) {
  if (!existsSync(path)) return null
  /** @type {unknown} */
  const report = JSON.parse(readFileSync(path, 'utf8'))
  return isRecord(report) ? report : null
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isRecord(value) {
  return typeof value === 'object' && value !== null
}

/**
 * @param {Record<string, unknown>} record
 * @param {string} key
 */
function numberIn(record, key) {
  const value = record[key]
  return typeof value === 'number' ? value : 0
}

/**
 * @param {Record<string, unknown>} record
 * @param {string} key
 */
function textIn(record, key) {
  const value = record[key]
  return typeof value === 'string' ? value : ''
}

/**
 * @param {Record<string, unknown>} record
 * @param {string} key
 */
function listIn(record, key) {
  const value = record[key]
  return Array.isArray(value) ? value.filter(isRecord) : []
}
