import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { runHistory } from './history.ts'

const HISTORIES = Number(process.env['HISTORIES'] ?? 200)
const FIRST_SEED = Number(process.env['HISTORY_SEED'] ?? 1)

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it(`keeps devices and server equal, and every accepted text, in ${String(HISTORIES)} random histories`, async () => {
  const failures: string[] = []
  for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES && failures.length < 3; seed += 1) {
    const log: string[] = []
    const mistakes = await runHistory(server, seed, (line) => log.push(line))
    // For a single history, everything that happened.
    if (mistakes.length > 0)
      failures.push([`HISTORY_SEED=${String(seed)}`, ...mistakes, ...(HISTORIES === 1 ? log : [])].join('\n'))
  }
  expect(failures.join('\n\n')).toBe('')
}, 3_600_000)
