import { afterAll, expect, it } from 'vitest'
import { useTestServer } from '#tests/support/shared-server.ts'
import { createFakeDevice } from './device.ts'
import { runHistories } from './history.ts'
import { makeCryptoRepeatable } from './repeatable.ts'

const HISTORIES = Number(process.env['HISTORIES'] ?? 40)
/** Milliseconds for a history on a very busy machine, so that one that hangs ends. */
const TIMEOUT = 60_000

const server = useTestServer()

afterAll(makeCryptoRepeatable())

it(
  `keeps devices and server equal, and every accepted text, in ${String(HISTORIES)} random histories`,
  async () => {
    expect(await runHistories(server, HISTORIES, createFakeDevice)).toBe('')
  },
  HISTORIES * TIMEOUT,
)
