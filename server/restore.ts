import { describeContents, interruption, runFileCommand } from './backup/command.ts'
import { restore } from './backup/restore.ts'
import { readConfig } from './config.ts'
import { PACKAGE_ROOT } from './package-root.ts'

/** `npm run restore -- FILE`: fills the configured database, which has to be empty, from a backup. */
runFileCommand('restore', process.argv.slice(2), async (file) => {
  const { contents, migrated } = await restore({
    location: readConfig(process.env),
    file,
    packageRoot: PACKAGE_ROOT,
    signal: interruption(),
  })
  const newer = migrated.length === 0 ? '' : ` Then applied ${migrated.join(', ')}.`
  return `Restored ${describeContents(contents)} of ${contents.header.createdAt}.${newer}`
})
