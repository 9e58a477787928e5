/** Why the server can't start. The operator sees the message, one sentence, and no stack trace. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError'
}

/** Why a command about accounts could not be run. The operator sees the message, and no stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** Why a backup could not be made or restored. The operator sees the message, one sentence, and no stack trace. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
