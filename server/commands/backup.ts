import { describeContents, interruption, runFileCommand } from './command-line.ts'
import { describeLocation, withExistingDatabase } from '../backup/connect.ts'
import { backUp } from '../backup/write-backup.ts'
import { readConfig } from '../config.ts'

const MEGABYTE = 1_000_000

/** `npm run backup -- FILE`: writes the configured database to a new file, whether the server is running or not. */
runFileCommand('backup -- FILE', process.argv.slice(2), async (file) => {
  const config = readConfig(process.env)
  const outcome = await withExistingDatabase(config, (url) =>
    backUp({ url, file, now: new Date(), signal: interruption() }),
  )
  const size = (outcome.bytes / MEGABYTE).toFixed(1)
  return `Backed up ${describeContents(outcome.contents)} from ${describeLocation(config)} to ${file} (${size} MB).`
})
