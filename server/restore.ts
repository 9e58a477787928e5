import { describeContents, interruption, runFileCommand } from './backup/command.ts'
import { restore } from './backup/restore.ts'
import { readConfig } from './config.ts'
import { PACKAGE_ROOT } from './package-root.ts'

/** `npm run restore -- FILE`: a backup into the configured database, which has to be empty. */
runFileCommand('restore', process.argv.slice(2), async (file) => {
  const place = readConfig(process.env)
  const { contents, migrated } = await restore({
    place,
    file,
    packageRoot: PACKAGE_ROOT,
    signal: interruption(),
  })
  const newer = migrated.length === 0 ? '' : ` Then applied ${migrated.join(', ')}.`
  return `Restored ${describeContents(contents)} of ${contents.header.createdAt}.${newer}`
})
