/** Why the server can't start, in one sentence for the person who starts it. Nothing else of it is shown. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError'
}
