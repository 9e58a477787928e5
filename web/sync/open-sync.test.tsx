import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stubIndexedDb } from './browser-database.test-data.ts'
import { type DeviceSync, openSync } from './open-sync.ts'
import type { Rules } from './schema.ts'

const rules: Rules = {
  categories: {
    compare: (a, b) => a.order - b.order,
    order: [{ column: 'id' }],
    isRow: (row): row is typeof row & Parameters<Rules['categories']['compare']>[0] => 'name' in row,
    typed: ['name'],
    texts: [],
    reference: null,
    calls: {},
  },
  prayers: {
    compare: (a, b) => (a.id < b.id ? -1 : 1),
    order: [{ column: 'id' }],
    isRow: (row): row is typeof row & Parameters<Rules['prayers']['compare']>[0] => 'person_name' in row,
    typed: ['person_name'],
    texts: [],
    reference: null,
    calls: {},
  },
}

const opened: DeviceSync[] = []

beforeEach(() => stubIndexedDb())
afterEach(() => {
  for (const sync of opened.splice(0)) sync.close()
})

async function open(): Promise<DeviceSync> {
  const send = vi.fn<typeof fetch>().mockRejectedValue(new TypeError('Failed to fetch'))
  const sync = await openSync({ userId: 'user-1', rules, url: 'http://127.0.0.1/rest/v1', send })
  opened.push(sync)
  return sync
}

const category = {
  table: 'categories',
  kind: 'insert',
  row: 'category-1',
  fields: { id: 'category-1', name: 'Family', order: 0 },
  base: {},
} as const

it('keeps a change that cannot be sent, for the next page', async () => {
  const first = await open()
  await first.change(category)
  first.close()
  const second = await open()
  expect(second.rows('categories')).toMatchObject([{ name: 'Family' }])
  expect(second.status()).toMatchObject({ durable: true, waiting: 1 })
})

it('keeps nothing, and rejects what cannot be sent, in a browser without IndexedDB', async () => {
  vi.stubGlobal('indexedDB', undefined)
  const sync = await open()
  expect(sync.status()).toMatchObject({ durable: false })
  await expect(sync.change(category)).rejects.toThrow('Failed to fetch')
  expect(sync.rows('categories')).toEqual([])
})
