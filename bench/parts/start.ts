import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { atMost, compare } from '../findings.ts'
import { type PartContext, runRounds } from '../part.ts'
import { type RunningProcess, startIntercede, startProcess } from '../processes.ts'

const FULL_ROUNDS = 7
const QUICK_ROUNDS = 2
/** The time that Node.js itself needs until it listens. */
const BARE_SERVER = `
  const server = require('node:http').createServer()
  server.listen(0, '127.0.0.1', () => console.log('ready at ' + server.address().port))
  process.on('SIGTERM', () => process.exit(0))`

/** From the start of the process until the server is ready: with existing data, and in an empty folder. */
export async function measureStart({ project, folder, dataDir, quick, report }: PartContext): Promise<void> {
  const bare: number[] = []
  const withData: number[] = []
  const first: number[] = []
  const empty = join(folder, 'empty')
  await runRounds(quick ? QUICK_ROUNDS : FULL_ROUNDS, async () => {
    bare.push(await secondsUntilReady(startProcess(['-e', BARE_SERVER], {}, /^ready at (\d+)$/m)))
    withData.push(await secondsUntilReady(startIntercede(project, { DATA_DIR: dataDir })))
    first.push(await secondsUntilReady(startIntercede(project, { DATA_DIR: empty })))
    await rm(empty, { recursive: true })
  })
  const comparedWith = 'bare node:http'
  report(
    compare(
      { what: 'start with 100,000 prayers', unit: 's', comparedWith, target: atMost('value', 1) },
      withData,
      bare,
    ),
    compare({ what: 'first start', unit: 's', comparedWith, target: atMost('value', 3) }, first, bare),
  )
}

async function secondsUntilReady(starting: Promise<RunningProcess>): Promise<number> {
  const started = await starting
  await started.stop()
  return started.readyAfter / 1000
}
