import { backUp } from './backup/back-up.ts'
import { describeContents, interruption, runFileCommand } from './backup/command.ts'
import { withStoredDatabase } from './backup/stored-database.ts'
import { readConfig } from './config.ts'

const MEGABYTE = 1_000_000

/** `npm run backup -- FILE`: what the configured database holds, into a new file, while the server runs or not. */
runFileCommand('backup', process.argv.slice(2), async (file) => {
  const outcome = await withStoredDatabase(readConfig(process.env), (url) =>
    backUp({ url, file, now: new Date(), signal: interruption() }),
  )
  const size = (outcome.bytes / MEGABYTE).toFixed(1)
  return `Backed up ${describeContents(outcome.contents)} to ${file} (${size} MB).`
})
