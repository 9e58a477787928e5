import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { signUp } from '#tests/contract/auth/auth-client.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { send } from '#tests/support/data-requests.ts'
import { type Site, startSite } from './site.ts'

/** Files that the server may have open, and connections that one client opens, so many at a time. */
const MAX_OPEN_FILES = 1024
const CONNECTIONS = 1000
const AT_A_TIME = 100
/** Connections of one client that only a raised limit allows. */
const WITHIN_RAISED_LIMIT = 500

/** Starts a server whose shell has set limits for its processes. */
async function startWithin(limits: string): Promise<Site> {
  const database = await createTestDatabase()
  const env = { DATA_DIR: '/nonexistent', ...database.env }
  const site = await startSite(env, database.url, ['sh', '-c', `${limits} && exec "$@"`, 'sh'])
  onTestFinished(async () => {
    expect(await site.process.end('SIGTERM')).toBe(0)
    await database.drop()
  })
  return site
}

async function openConnection({ url }: Site, beginning: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => socket.destroy())
  await once(socket, 'connect')
  socket.write(beginning)
  return socket.resume()
}

async function openConnections(site: Site, count: number, beginning = ''): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const opening = Array.from({ length: AT_A_TIME }, () => openConnection(site, beginning))
    sockets.push(...(await Promise.all(opening)))
  }
  return sockets
}

function countOpen(sockets: readonly Socket[]): number {
  return sockets.filter(({ readyState }) => readyState === 'open').length
}

it.each([
  ['idle', ''],
  ['slow', 'POST /auth/v1/token?grant_type=password HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{'],
])('one client with a thousand %s connections keeps no one from being served', async (_name, beginning) => {
  const site = await startWithin(`ulimit -n ${String(MAX_OPEN_FILES)}`)
  const sockets = await openConnections(site, CONNECTIONS, beginning)
  const { access_token: token } = await signUp(site, 'anna@example.org')
  expect((await send(site, '/categories', { token })).status).toBe(200)
  await expect.poll(() => countOpen(sockets)).toBeLessThanOrEqual(MAX_OPEN_FILES / 2)
  for (const socket of sockets) socket.destroy()
})

it.runIf(process.platform === 'linux')(
  'the server raises its limit of open files as far as it may, and accepts connections accordingly',
  async () => {
    const site = await startWithin('ulimit -Sn 256 && ulimit -Hn 2048')
    const limits = await readFile(`/proc/${String(site.process.pid)}/limits`, 'utf8')
    expect(limits).toMatch(/^Max open files +2048 +2048 /m)
    const sockets = await openConnections(site, WITHIN_RAISED_LIMIT)
    await signUp(site, 'anna@example.org')
    expect(countOpen(sockets)).toBe(WITHIN_RAISED_LIMIT)
    for (const socket of sockets) socket.destroy()
  },
)
