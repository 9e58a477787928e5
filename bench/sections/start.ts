import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { startChild } from '../child-process.ts'
import { atMost, compare, type Finding } from '../finding.ts'
import { startIntercede } from '../intercede.ts'

const FULL_ROUNDS = 7
const QUICK_ROUNDS = 2
/** What Node.js itself needs until it can listen. */
const BARE_SERVER = `
  const server = require('node:http').createServer()
  server.listen(0, '127.0.0.1', () => console.log('ready at ' + server.address().port))
  process.on('SIGTERM', () => process.exit(0))`

/** From starting the process to its word that it is ready: on data that is there, and in an empty folder. */
export async function measureStart(bench: Bench): Promise<Finding[]> {
  const rounds = bench.quick ? QUICK_ROUNDS : FULL_ROUNDS
  const existing: number[] = []
  const none: number[] = []
  const bare: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const empty = join(bench.folder, 'empty')
    bare.push(await secondsToReady(() => startChild(['-e', BARE_SERVER], {}, /^ready at (\d+)$/m)))
    existing.push(await secondsToReady(() => startIntercede({ DATA_DIR: bench.dataDir })))
    none.push(await secondsToReady(() => startIntercede({ DATA_DIR: empty })))
    await rm(empty, { recursive: true })
  }
  bench.say('start')
  const named = { section: 'start', unit: 's', comparedWith: 'bare node:http until it listens' } as const
  return [
    compare({ ...named, what: 'start, 100,000 prayers there', target: atMost('value', 1) }, existing, bare),
    compare({ ...named, what: 'start, nothing there', target: atMost('value', 3) }, none, bare),
  ]
}

async function secondsToReady(start: () => ReturnType<typeof startChild>): Promise<number> {
  const child = await start()
  await child.stop()
  return child.readyAfter / 1000
}
