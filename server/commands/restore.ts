import { describeContents, interruption, runFileCommand } from './command-line.ts'
import { restore } from '../backup/restore.ts'
import { readConfig } from '../config.ts'
import { PACKAGE_ROOT } from '../package-root.ts'

const KEEP_SESSIONS = '--keep-sessions'
const args = process.argv.slice(2)
const keepSessions = args.includes(KEEP_SESSIONS)

/** `npm run restore -- FILE [--keep-sessions]`: fills the configured database, which has to be empty, from a backup. */
runFileCommand(
  'restore',
  args.filter((arg) => arg !== KEEP_SESSIONS),
  async (file) => {
    const { contents, migrated } = await restore({
      location: readConfig(process.env),
      file,
      packageRoot: PACKAGE_ROOT,
      signal: interruption(),
      keepSessions,
    })
    const newer = migrated.length === 0 ? '' : ` Then applied ${migrated.join(', ')}.`
    const sessions = keepSessions ? '' : ' Everyone has to sign in again.'
    return `Restored ${describeContents(contents)} of ${contents.header.createdAt}.${newer}${sessions}`
  },
)
