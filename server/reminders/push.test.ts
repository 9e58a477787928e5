import { createServer } from 'node:net'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import webPush from 'web-push'
import { createPushSender, isPushService, isPublicAddress } from './push.ts'

it.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::a00:1',
  '4000::1',
  '64:ff9b::a00:1',
  '2001:db8::1',
  '2002:a00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'ff02::1',
])('%s is no address of a push service', (address) => {
  expect(isPublicAddress({ address, family: address.includes(':') ? 6 : 4 })).toBe(false)
})

it.each(['142.250.74.106', '172.32.0.1', '100.128.0.1', '2a00:1450:4010:c0f::5f', '2606:4700::1'])(
  '%s is an address on the Internet',
  (address) => {
    expect(isPublicAddress({ address, family: address.includes(':') ? 6 : 4 })).toBe(true)
  },
)

it('connects to no service whose name leads to a private address', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? String(address.port) : ''
  const endpoint = `https://localhost:${port}/x`
  const config = {
    pushServices: [`https://localhost:${port}`],
    siteUrl: 'https://a.example',
    mailFrom: 'a@a.example',
  }
  expect(isPushService(config, endpoint)).toBe(true)
  const browser = { endpoint, ...KEYS_OF_A_BROWSER }
  const sender = createPushSender({ config, vapid: webPush.generateVAPIDKeys() })
  const sending = sender.send(browser, { payload: '{}', topic: 'topic', lifetime: 60 })
  await expect(sending).rejects.toThrow('The push service has a private address.')
  expect(connections).toBe(0)
  sender.close()
  server.close()
})

it('does not wait long for a service that says nothing', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? String(address.port) : ''
  const config = { siteUrl: 'https://a.example', mailFrom: 'a@a.example' }
  const sender = createPushSender({ config, vapid: webPush.generateVAPIDKeys(), timeout: 10 })
  const browser = { endpoint: `http://127.0.0.1:${port}/x`, ...KEYS_OF_A_BROWSER }
  const sending = sender.send(browser, { payload: '{}', topic: 'topic', lifetime: 60 })
  await expect(sending).rejects.toThrow('aborted')
  sender.close()
  server.close()
})

it.each([
  ['https://push.example.org', 'https://push.example.org/x', true],
  ['https://push.example.org', 'https://push.example.org:444/x', false],
  ['https://push.example.org', 'https://a.push.example.org/x', false],
  ['https://push.example.org:444', 'https://push.example.org:444/x', true],
  ['https://*.example.org', 'https://a.b.example.org/x', true],
  ['https://*.example.org', 'https://example.org/x', false],
  ['https://*.example.org', 'https://badexample.org/x', false],
  ['https://*.example.org', 'https://a.example.org:444/x', false],
  ['https://*.example.org', 'http://a.example.org/x', false],
  ['https://*.example.org', 'https://a.example.org.evil.example/x', false],
  ['https://*.example.org', 'https://evil.example/.example.org', false],
  ['https://push.example.org', 'blob:https://push.example.org/x', false],
  ['https://*.example.org', 'blob:https://a.example.org/x', false],
  ['https://push.example.org', 'wss://push.example.org/x', false],
  ['http://127.0.0.1:9000', 'http://127.0.0.1:9000/x', true],
  ['http://127.0.0.1:9000', 'blob:http://127.0.0.1:9000/x', false],
])('%s allows %s: %s', (service, endpoint, expected) => {
  expect(isPushService({ pushServices: [service] }, endpoint)).toBe(expected)
})

/** Of RFC 8291, appendix A. */
const KEYS_OF_A_BROWSER = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}
