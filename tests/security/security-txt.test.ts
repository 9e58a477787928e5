import { expect, it } from 'vitest'
import { startTestServer } from '#tests/support/server.ts'

const PATH = '/.well-known/security.txt'

it('names the contact, and expires half a year from today', async () => {
  const server = await startTestServer({
    config: { siteUrl: 'https://pray.example.org', securityContact: 'mailto:security@example.org' },
  })
  try {
    const response = await fetch(server.url + PATH)
    const text = await response.text()
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(text.split('\n')).toEqual([
      'Contact: mailto:security@example.org',
      'Expires: 2026-08-28T00:00:00Z',
      'Canonical: https://pray.example.org/.well-known/security.txt',
      '',
    ])
    server.clock.advance(86_400)
    expect(await (await fetch(server.url + PATH)).text()).toContain('Expires: 2026-08-29T00:00:00Z')
  } finally {
    await server.close()
  }
})

it('is not found if no contact is configured', async () => {
  const server = await startTestServer()
  try {
    expect((await fetch(server.url + PATH)).status).toBe(404)
  } finally {
    await server.close()
  }
})
