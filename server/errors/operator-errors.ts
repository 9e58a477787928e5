/** Why the server can't start. The operator sees the message, one sentence, and no stack trace. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError'
}

/** Why a backup could not be made or restored. The operator sees the message, one sentence, and no stack trace. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
