import { expect, it } from 'vitest'
import { connect, dataOf, judge, requireRows } from './server.ts'

it.each([
  ['no response', 0, '', 'retry'],
  ['a network error with a code of its own', 0, 'ECONNREFUSED', 'retry'],
  ['the page of a captive portal', 200, '', 'retry'],
  ['the page of a captive portal', 403, '', 'retry'],
  ['a missing token', 401, '42501', 'retry'],
  ['an expired token', 401, 'PGRST303', 'retry'],
  ['a code that was not given', 401, 'PT401', 'retry'],
  ['a missing right', 403, '42501', 'rejected'],
  ['a timeout of a proxy', 408, '', 'retry'],
  ['a broken constraint', 409, '23505', 'rejected'],
  ['a full account', 413, 'PT413', 'rejected'],
  ['a body that is too long for the server', 413, 'PGRST000', 'rejected'],
  ['a body that is too long for a proxy', 413, '', 'retry'],
  ['too many requests', 429, '', 'retry'],
  ['too much written within an hour', 429, 'PT429', 'retry'],
  ['a column that an older server does not have', 400, 'PGRST204', 'fault'],
  ['a function that an older server does not have', 404, 'PGRST202', 'retry'],
  ['a fault', 500, 'PGRSTX00', 'fault'],
  ['an unexpected error of the database', 500, 'XX000', 'fault'],
  ['a fault of a proxy', 500, '', 'retry'],
  ['a conflict between transactions', 500, '40001', 'retry'],
  ['a proxy without a server', 502, '', 'retry'],
  ['a server that is starting', 503, '57P03', 'retry'],
  ['a slow server', 504, '', 'retry'],
  ['a content network', 520, '', 'retry'],
  ['a content network', 530, '', 'retry'],
] as const)('judges %s: status %i, code "%s" as %s', (_case, status, code, verdict) => {
  expect(judge({ status, code, message: '' })).toBe(verdict)
})

const PAGE = { headers: { 'content-type': 'text/html' } }

const FOREIGN: [what: string, respond: () => Response][] = [
  ['the page of a captive portal', () => new Response('<html>', PAGE)],
  ['an empty page', () => new Response('', PAGE)],
  ['an empty 404 of a proxy', () => new Response('', { ...PAGE, status: 404 })],
]
const JSON_OF_OTHERS = ['JSON of something else', () => Response.json({ status: 'ok' })] as const

it.each([...FOREIGN, JSON_OF_OTHERS])('does not take %s for rows', async (_case, respond) => {
  const server = connect('http://localhost/rest/v1', async () => respond(), null)
  const fetching = dataOf(server.from('prayers').select()).then(requireRows)
  await expect(fetching).rejects.toThrow(/not/)
})

it.each(FOREIGN)('does not take %s for the success of a function', async (_case, respond) => {
  const server = connect('http://localhost/rest/v1', async () => respond(), null)
  await expect(dataOf(server.rpc('reorder_categories', {}))).rejects.toThrow(/not/)
})

it('names the epoch of what it knows beside the other preferences, if there is one', async () => {
  const sent: (string | null)[] = []
  const send: typeof fetch = async (_input, init) => {
    sent.push(new Headers(init?.headers).get('prefer'))
    return Response.json([])
  }
  for (const epoch of ['e1', null])
    await dataOf(
      connect('http://localhost/rest/v1', send, epoch).from('prayers').update({ note: 'x' }).select(),
    )
  expect(sent).toEqual(['epoch=e1, return=representation', 'return=representation'])
})
