import { describeContents, interruption, runFileCommand } from './command-line.ts'
import { withExistingDatabase } from '../backup/connect.ts'
import { backUp } from '../backup/write-backup.ts'
import { readConfig } from '../config.ts'

const MEGABYTE = 1_000_000

/** `npm run backup -- FILE`: writes the configured database to a new file, whether the server is running or not. */
runFileCommand('backup', process.argv.slice(2), async (file) => {
  const outcome = await withExistingDatabase(readConfig(process.env), (url) =>
    backUp({ url, file, now: new Date(), signal: interruption() }),
  )
  const size = (outcome.bytes / MEGABYTE).toFixed(1)
  return `Backed up ${describeContents(outcome.contents)} to ${file} (${size} MB).`
})
