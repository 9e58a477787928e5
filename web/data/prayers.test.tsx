import { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { failure, FakeServer, noContent } from './fake-server.test-data.ts'
import { cachedList, fetchRows, userList } from './list.ts'
import { countByCategory, countPrayers, type Prayer, prayerActions, PRAYERS } from './prayers.ts'

const anna: Prayer = {
  id: 'anna',
  user_id: 'me',
  category_id: 'family',
  person_name: 'Anna',
  note: null,
  resolved: false,
  created_at: '2026-01-01T00:00:00+00:00',
}
const ben: Prayer = { ...anna, id: 'ben', person_name: 'Ben', created_at: '2025-01-01T00:00:00+00:00' }
const newPrayer = { category_id: 'family', person_name: 'Cora', note: null }

let server: FakeServer

beforeEach(() => {
  server = new FakeServer()
  server.respond = () => Response.json([anna, ben])
})

async function openList() {
  const list = userList(PRAYERS, new QueryClient(), 'me')
  await fetchRows(list)
  server.requests.length = 0
  return { list, actions: prayerActions(list), rows: () => cachedList(list)?.rows }
}

describe('adding a prayer', () => {
  it('puts what the server saved at the top of the list', async () => {
    const { actions, rows } = await openList()
    server.respond = ({ body }) => Response.json(body)
    expect(await actions.add('cora', newPrayer)).toEqual({ success: true })
    expect(rows()?.map(({ id }) => id)).toEqual(['cora', 'anna', 'ben'])
    expect(rows()?.[0]).toMatchObject({ ...newPrayer, user_id: 'me', resolved: false })
  })

  it('updates the prayer when an earlier request was saved and its response was lost', async () => {
    const { actions, rows } = await openList()
    const sent: unknown[] = []
    server.respond = ({ method, body }) => {
      sent.push(body)
      return method === 'POST'
        ? failure(409, '23505')
        : Response.json([{ ...anna, id: 'cora', person_name: 'Cora' }])
    }
    expect(await actions.add('cora', newPrayer)).toEqual({ success: true })
    expect(server.requests).toEqual(['POST prayers', 'PATCH prayers'])
    expect(sent[1]).toEqual(newPrayer)
    expect(rows()?.map(({ id }) => id)).toContain('cora')
  })

  it.each([
    [{ ...newPrayer, category_id: '', person_name: '' }, 'Missing required fields: category_id, person_name'],
    [{ ...newPrayer, person_name: '' }, 'Missing required fields: person_name'],
  ])('is rejected before it is sent when a required field is missing: %o', async (fields, error) => {
    expectConsoleError(error)
    const { actions } = await openList()
    expect(await actions.add('cora', fields)).toEqual({ success: false, error })
    expect(server.requests).toEqual([])
  })
})

describe('updating a prayer', () => {
  it('sends the changed fields only', async () => {
    const { actions, rows } = await openList()
    server.respond = ({ body }) => {
      expect(body).toEqual({ resolved: true })
      return Response.json([{ ...anna, resolved: true }])
    }
    expect(await actions.update('anna', { resolved: true })).toEqual({ success: true })
    expect(rows()).toEqual([{ ...anna, resolved: true }, ben])
  })

  it('is rejected before it is sent when the prayer is unknown', async () => {
    expectConsoleError('Prayer not found')
    const { actions } = await openList()
    const result = await actions.update('unknown', { resolved: true })
    expect(result).toEqual({ success: false, error: 'Prayer not found' })
    expect(server.requests).toEqual([])
  })

  it('is rejected when the server no longer has the prayer', async () => {
    expectConsoleError('Prayer not found')
    const { actions, rows } = await openList()
    server.respond = ({ method }) => Response.json(method === 'PATCH' ? [] : [ben])
    const result = await actions.update('anna', { resolved: true })
    expect(result).toEqual({ success: false, error: 'Prayer not found' })
    await vi.waitFor(() => expect(rows()).toEqual([ben]))
  })
})

it('a deleted prayer leaves the list', async () => {
  const { actions, rows } = await openList()
  server.respond = noContent
  expect(await actions.remove('anna')).toEqual({ success: true })
  expect(server.requests).toEqual(['DELETE prayers'])
  expect(rows()).toEqual([ben])
})

describe('of two prayers of the same time', () => {
  it('the one with the higher id comes first, as in the database', async () => {
    const { actions, rows } = await openList()
    server.respond = ({ body }) =>
      Response.json({ ...newPrayer, ...Object(body), created_at: anna.created_at })
    await actions.add('annb', newPrayer)
    expect(rows()?.map(({ id }) => id)).toEqual(['annb', 'anna', 'ben'])
  })
})

describe('counting prayers', () => {
  const prayers = [anna, { ...ben, category_id: 'friends' }, { ...ben, id: 'cora', resolved: true }]

  it('includes resolved ones', () => {
    expect([...countByCategory(prayers)]).toEqual([
      ['family', 2],
      ['friends', 1],
    ])
  })

  it('fetches the prayers first, and rejects when that fails', async () => {
    server.respond = () => Response.json(prayers)
    expect(await countPrayers(userList(PRAYERS, new QueryClient(), 'me'), 'family')).toBe(2)
    const failing = new QueryClient({ defaultOptions: { queries: { retryDelay: 0 } } })
    server.respond = () => failure(503, '57P03', 'starting up')
    await expect(countPrayers(userList(PRAYERS, failing, 'me'), 'family')).rejects.toThrow('starting up')
  })
})
