import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countPlaywright, countVitest } from './test-reports.mjs'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'intercede-reports-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function report(content: unknown): Promise<string> {
  const path = join(folder, 'report.json')
  await writeFile(path, JSON.stringify(content))
  return path
}

const LOADED = { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] }
const NO_TESTS = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }
const UNLOADED = { status: 'failed', assertionResults: [] }

describe('countVitest', () => {
  it('returns the numbers of the report', async () => {
    const path = await report({
      numPassedTests: 7,
      numFailedTests: 1,
      numPendingTests: 2,
      testResults: [LOADED],
    })
    expect(countVitest(path, false)).toEqual({ passed: 7, failed: 1, skipped: 2 })
  })

  it('counts a file that could not be loaded as a failure', async () => {
    const path = await report({
      numPendingTests: 0,
      numPassedTests: 7,
      numFailedTests: 0,
      testResults: [UNLOADED],
    })
    expect(countVitest(path, false)).toEqual({ passed: 7, failed: 1, skipped: 0 })
  })

  it('counts an error outside of any test as a failure', async () => {
    const path = await report({ numPendingTests: 0, numPassedTests: 7, numFailedTests: 0, testResults: [] })
    expect(countVitest(path, false)).toEqual({ passed: 7, failed: 1, skipped: 0 })
    expect(countVitest(path, true)).toEqual({ passed: 7, failed: 0, skipped: 0 })
  })

  it('fails without a report and without tests', async () => {
    expect(countVitest(join(folder, 'missing.json'), true)).toEqual({ passed: 0, failed: 1, skipped: 0 })
    const path = await report({ numPendingTests: 0, numPassedTests: 0, numFailedTests: 0, testResults: [] })
    expect(countVitest(path, true)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })
})

describe('countPlaywright', () => {
  it('counts a test that needed a second try as failed', async () => {
    const path = await report({ stats: { expected: 5, unexpected: 1, flaky: 2, skipped: 4 } })
    expect(countPlaywright(path, false)).toEqual({ passed: 5, failed: 3, skipped: 4 })
  })

  it('fails without a report, without tests and when the run itself failed', async () => {
    expect(countPlaywright(join(folder, 'missing.json'), true)).toEqual({ passed: 0, failed: 1, skipped: 0 })
    expect(countPlaywright(await report({ stats: NO_TESTS }), true)).toEqual({
      passed: 0,
      failed: 1,
      skipped: 0,
    })
    expect(countPlaywright(await report({ stats: { ...NO_TESTS, expected: 5 } }), false)).toEqual({
      passed: 5,
      failed: 1,
      skipped: 0,
    })
  })
})
