import { expect, it } from 'vitest'
import { SERVER_PATHS } from '#shared/server-paths.ts'
import { startTestServer } from '#tests/support/server.ts'

it('SERVER_PATHS covers every route of the server, so that "npm run dev" proxies it', async () => {
  const server = await startTestServer()
  // A tree; the routes of a branch share the path of its root.
  const tree = server.app.printRoutes({ commonPrefix: false })
  const roots = [...tree.matchAll(/^[├└]── (\/\S*)/gm)].map(([, path = '']) => path)
  await server.close()
  expect(roots.length).toBeGreaterThan(10)
  expect(roots.filter((path) => !SERVER_PATHS.some((prefix) => path.startsWith(prefix)))).toEqual([])
})
