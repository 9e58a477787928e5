import { describeContents, interruption, runFileCommand } from './command-line.ts'
import { describeLocation } from '../backup/connect.ts'
import { restore } from '../backup/restore.ts'
import { readConfig } from '../config.ts'
import { PACKAGE_ROOT } from '../package-root.ts'

const KEEP_SESSIONS = '--keep-sessions'
const args = process.argv.slice(2)
/** Without `--`, npm takes the option for one of its own. */
const keepSessions = args.includes(KEEP_SESSIONS) || process.env['npm_config_keep_sessions'] === 'true'

/** `npm run restore -- FILE [--keep-sessions]`: fills the configured database, which has to be empty, from a backup. */
runFileCommand(
  `restore -- FILE [${KEEP_SESSIONS}]`,
  args.filter((arg) => arg !== KEEP_SESSIONS),
  async (file) => {
    const location = readConfig(process.env)
    const { contents, migrated } = await restore({
      location,
      file,
      packageRoot: PACKAGE_ROOT,
      signal: interruption(),
      keepSessions,
    })
    const newer = migrated.length === 0 ? '' : ` Then applied ${migrated.join(', ')}.`
    const sessions = keepSessions ? '' : ' Everyone has to sign in again.'
    const restored = `${describeContents(contents)} of ${contents.header.createdAt}`
    return `Restored ${restored} into ${describeLocation(location)}.${newer}${sessions}`
  },
)
