/**
 * Why the server ends a connection with a request in progress. The connection is destroyed with it, and the log has a line
 * with its message (http/request-log.ts).
 */
export class EndedEarly extends Error {
  override readonly name = 'EndedEarly'
  readonly level: 'info' | 'warn'

  /** @param level `info` for what a client can cause at any rate, so that it can't fill the log of the default level */
  constructor(message: string, level: 'info' | 'warn' = 'warn') {
    super(message)
    this.level = level
  }
}
