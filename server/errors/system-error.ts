/** The code of an error thrown by Node.js, such as ENOENT; empty for any other value. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
