/** Prefixes of the paths that the server handles itself; all other paths belong to the web app. */
export const SERVER_PATHS = [
  '/auth/v1',
  '/rest/v1',
  '/reminders/v1',
  '/functions',
  '/graphql',
  '/realtime',
  '/storage',
  '/pictures',
  '/health',
  '/ready',
  '/metrics',
  '/.well-known',
] as const
