import { expect, it } from 'vitest'
import { SERVER_PATHS } from '#shared/server-paths.ts'
import { startTestServer } from '#tests/support/server.ts'

it('SERVER_PATHS covers every route of the server, so that "npm run dev" proxies it', async () => {
  const server = await startTestServer()
  const routes = server.app.printRoutes({ commonPrefix: false, includeHooks: false })
  const paths = [...routes.matchAll(/(\/\S+) \((?:GET|POST|PUT|PATCH|DELETE)/g)].map(([, path = '']) => path)
  await server.close()
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter((path) => !SERVER_PATHS.some((prefix) => path.startsWith(prefix)))).toEqual([])
})
