import { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, it } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import {
  CATEGORIES,
  type Category,
  CATEGORY_HAS_PRAYERS,
  categoryActions,
  reorderedBy,
} from './categories.ts'
import { failure, FakeServer, noContent } from './fake-server.test-data.ts'
import { cachedList, fetchRows, userList } from './list.ts'
import { PRAYERS } from './prayers.ts'

const family: Category = {
  id: 'family',
  user_id: 'me',
  name: 'Family',
  order: 1,
  is_visible: true,
  created_at: '2026-01-01T00:00:00+00:00',
  updated_at: '2026-01-01T00:00:00+00:00',
}
const friends: Category = { ...family, id: 'friends', name: 'Friends', order: 2 }
const church: Category = { ...family, id: 'church', name: 'Church', order: 3 }

let server: FakeServer

beforeEach(() => {
  server = new FakeServer()
})

async function openList(categories: readonly Category[], prayers: readonly { category_id: string }[] = []) {
  const client = new QueryClient()
  const list = userList(CATEGORIES, client, 'me')
  const prayerList = userList(PRAYERS, client, 'me')
  server.respond = ({ path }) => Response.json(path === 'prayers' ? prayers : categories)
  await fetchRows(list)
  await fetchRows(prayerList)
  server.requests.length = 0
  return { actions: categoryActions(list, prayerList), rows: () => cachedList(list)?.rows }
}

const ids = (rows: readonly { id: string }[] | undefined) => rows?.map(({ id }) => id)

describe('adding a category', () => {
  it.each([
    { existing: [friends, { ...church, order: 7 }], order: 8 },
    { existing: [], order: 1 },
  ])('gives it the highest order number plus one: $order', async ({ existing, order }) => {
    const { actions, rows } = await openList(existing)
    server.respond = ({ body }) => Response.json({ ...family, ...Object(body) })
    expect(await actions.add('new', 'Neighbours')).toEqual({ success: true })
    expect(rows()?.at(-1)).toMatchObject({ id: 'new', name: 'Neighbours', order, is_visible: true })
  })

  it('updates the name when an earlier request was saved and its response was lost', async () => {
    const { actions, rows } = await openList([family])
    server.respond = ({ method, body }) => {
      if (method === 'POST') return failure(409, '23505')
      return Response.json([{ ...friends, ...Object(body) }])
    }
    expect(await actions.add('friends', 'My friends')).toEqual({ success: true })
    expect(server.requests).toEqual(['POST categories', 'PATCH categories'])
    expect(rows()?.[1]).toMatchObject({ id: 'friends', name: 'My friends' })
  })
})

describe('updating a category', () => {
  it('sends the changed fields and the time of the change', async () => {
    const { actions, rows } = await openList([family, friends])
    let sent: unknown
    server.respond = ({ body }) => {
      sent = body
      return Response.json([{ ...family, is_visible: false }])
    }
    expect(await actions.update('family', { is_visible: false })).toEqual({ success: true })
    expect(sent).toEqual({ is_visible: false, updated_at: expect.any(String) })
    expect(rows()).toEqual([{ ...family, is_visible: false }, friends])
  })

  it('keeps the order of this device, since a reorder may be pending', async () => {
    const { actions, rows } = await openList([family, friends])
    server.respond = () => Response.json([{ ...family, name: 'Home', order: 9 }])
    await actions.update('family', { name: 'Home' })
    expect(rows()).toEqual([{ ...family, name: 'Home' }, friends])
  })

  it.each([
    ['not in the list', 'unknown', []],
    ['no longer on the server', 'family', ['PATCH categories']],
  ])('is rejected when the category is %s', async (_, id, sent) => {
    expectConsoleError('Category not found')
    const { actions } = await openList([family])
    server.respond = () => Response.json([])
    const result = await actions.update(id, { name: 'Home' })
    expect(result).toEqual({ success: false, error: 'Category not found' })
    expect(server.requests.filter((request) => !request.startsWith('GET'))).toEqual(sent)
  })
})

describe('deleting a category', () => {
  it('removes it when it has no prayers', async () => {
    const { actions, rows } = await openList([family, friends], [{ category_id: 'friends' }])
    server.respond = noContent
    expect(await actions.remove('family')).toEqual({ success: true })
    expect(rows()).toEqual([friends])
  })

  it('is rejected before it is sent when it has prayers', async () => {
    expectConsoleError(CATEGORY_HAS_PRAYERS)
    const { actions, rows } = await openList([family], [{ category_id: 'family' }])
    expect(await actions.remove('family')).toEqual({ success: false, error: CATEGORY_HAS_PRAYERS })
    expect(server.requests).toEqual([])
    expect(rows()).toEqual([family])
  })

  // The code of such a violation is 23503 up to PostgreSQL 17, and 23001 from 18 on.
  it.each(['23503', '23001'])('is rejected when the server finds a prayer in it (%s)', async (code) => {
    expectConsoleError(CATEGORY_HAS_PRAYERS)
    const { actions } = await openList([family])
    server.respond = ({ method }) => (method === 'DELETE' ? failure(409, code) : Response.json([family]))
    expect(await actions.remove('family')).toEqual({ success: false, error: CATEGORY_HAS_PRAYERS })
  })
})

describe('the order of categories', () => {
  it('follows their order numbers', async () => {
    const { actions, rows } = await openList([church, family, friends])
    server.respond = noContent
    await actions.reorder(['friends'])
    expect(ids(rows())).toEqual(['friends', 'family', 'church'])
  })

  it('puts the older of two with the same number first, then the one with the lower id', () => {
    const older = { ...friends, id: 'z', created_at: '2020-01-01T00:00:00+00:00' }
    const sameAge = { ...friends, id: 'y', created_at: '2020-01-01T00:00:00.000+00:00' }
    expect(ids(reorderedBy([])([friends, older, sameAge]))).toEqual(['y', 'z', 'friends'])
  })
})

describe('reordering', () => {
  it('renumbers the categories 1..n by the given ids', async () => {
    const { actions, rows } = await openList([family, friends, church])
    let sent: unknown
    server.respond = ({ body }) => {
      sent = body
      return noContent()
    }
    expect(await actions.reorder(['church', 'family', 'friends'])).toEqual({ success: true })
    expect(sent).toEqual({ category_ids: ['church', 'family', 'friends'] })
    expect(rows()?.map(({ id, order }) => [id, order])).toEqual([
      ['church', 1],
      ['family', 2],
      ['friends', 3],
    ])
  })

  it('ignores unknown ids and keeps unlisted categories in their order after the listed ones', () => {
    expect(ids(reorderedBy(['deleted', 'church'])([family, friends, church]))).toEqual([
      'church',
      'family',
      'friends',
    ])
  })

  it('keeps the object of a category that keeps its number', () => {
    expect(reorderedBy(['family', 'church', 'friends'])([family, friends, church])[0]).toBe(family)
  })
})
