import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ListDefinition } from './kept-list.ts'
import { knownList } from './known-list.ts'
import { listQuery } from './list-query.ts'
import { sendChange } from './send-change.ts'
import { whenSettled } from './when-settled.ts'

type Person = { id: string; name: string }
type Change = { kind: 'save'; person: Person } | { kind: 'remove'; id: string }

const ann = { id: 'a', name: 'Ann' }
const bob = { id: 'b', name: 'Bob' }

function apply(rows: readonly Person[], change: Change): readonly Person[] {
  if (change.kind === 'remove') return rows.filter((row) => row.id !== change.id)
  const others = rows.filter((row) => row.id !== change.person.id)
  return [...others, change.person].toSorted((a, b) => a.id.localeCompare(b.id))
}

/** A promise that the test settles when it wants to. */
function answer<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (reason: Error) => void = () => {}
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

let client: QueryClient
let fetchPage: ReturnType<typeof vi.fn<() => Promise<readonly Person[]>>>
let definition: ListDefinition<Person, Change>

beforeEach(async () => {
  client = new QueryClient()
  fetchPage = vi.fn(async (): Promise<readonly Person[]> => [ann, bob])
  definition = { key: ['people', 'me'], fetchPage, pageSize: 100, apply }
  await client.query(listQuery(definition))
})

afterEach(() => client.clear())

const known = () => knownList(client, definition)?.rows
const pending = () =>
  client
    .getMutationCache()
    .findAll({ status: 'pending' })
    .map((mutation) => mutation.state.variables)

function rename(person: Person, send: () => Promise<Change>) {
  return sendChange(client, definition, {
    change: { kind: 'save', person },
    row: person.id,
    send,
    onFailure: 'restore-row',
  })
}

function remove(id: string, send: () => Promise<Change>) {
  return sendChange(client, definition, {
    change: { kind: 'remove', id },
    row: id,
    send,
    onFailure: 'refetch',
  })
}

describe('a change under way', () => {
  it('is known as pending until it is answered, then what the server answered is known', async () => {
    const server = answer<Change>()
    const sent = rename({ id: 'a', name: 'Anna' }, () => server.promise)
    expect(pending()).toEqual([{ kind: 'save', person: { id: 'a', name: 'Anna' } }])
    server.resolve({ kind: 'save', person: { id: 'a', name: 'Anna (saved)' } })
    await sent
    expect(pending()).toEqual([])
    expect(known()).toEqual([{ id: 'a', name: 'Anna (saved)' }, bob])
  })

  it('waits for an earlier change of the same row, not for one of another row', async () => {
    const first = answer<Change>()
    const second = vi.fn(async (): Promise<Change> => ({ kind: 'save', person: { id: 'a', name: '2' } }))
    const other = vi.fn(async (): Promise<Change> => ({ kind: 'remove', id: 'b' }))
    const sent = [
      rename({ id: 'a', name: '1' }, () => first.promise),
      rename({ id: 'a', name: '2' }, second),
      remove('b', other),
    ]
    await sent[2]
    expect(other).toHaveBeenCalledTimes(1)
    expect(second).not.toHaveBeenCalled()
    first.resolve({ kind: 'save', person: { id: 'a', name: '1' } })
    await Promise.all(sent)
    expect(known()).toEqual([{ id: 'a', name: '2' }])
  })

  it('that fails late leaves a later one of the same row alone', async () => {
    const first = answer<Change>()
    const failing = rename({ id: 'a', name: '1' }, () => first.promise)
    const later = rename({ id: 'a', name: '2' }, async () => {
      fetchPage.mockResolvedValue([{ id: 'a', name: '2' }, bob])
      return { kind: 'save', person: { id: 'a', name: '2' } }
    })
    first.reject(new Error('too late'))
    await expect(failing).rejects.toThrow('too late')
    await later
    await whenSettled(client, definition.key)
    await client.query({ ...listQuery(definition), staleTime: 0 })
    expect(known()).toEqual([{ id: 'a', name: '2' }, bob])
  })
})

describe('a refused change', () => {
  it('is taken back at once where the row is restored, and the list is fetched again', async () => {
    const refetch = answer<readonly Person[]>()
    fetchPage.mockReturnValueOnce(refetch.promise)
    await expect(rename({ id: 'a', name: 'Anna' }, () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    )
    expect(pending()).toEqual([])
    expect(known()).toEqual([ann, bob])
    expect(fetchPage).toHaveBeenCalledTimes(2)
    refetch.resolve([bob])
    await vi.waitFor(() => expect(known()).toEqual([bob]))
  })

  it('stays in view until the list was fetched again where that restores it', async () => {
    const refetch = answer<readonly Person[]>()
    fetchPage.mockReturnValueOnce(refetch.promise)
    const sent = remove('a', () => Promise.reject(new Error('no')))
    await vi.waitFor(() => expect(fetchPage).toHaveBeenCalledTimes(2))
    expect(pending()).toEqual([{ kind: 'remove', id: 'a' }])
    refetch.resolve([ann, bob, { id: 'c', name: 'Cid' }])
    await expect(sent).rejects.toThrow('no')
    expect(pending()).toEqual([])
    expect(known()).toEqual([ann, bob, { id: 'c', name: 'Cid' }])
  })

  it('shows again what was known before when fetching fails too, after one attempt', async () => {
    fetchPage.mockRejectedValue(new Error('server gone'))
    await expect(remove('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(known()).toEqual([ann, bob])
    expect(fetchPage).toHaveBeenCalledTimes(2)
    expect(client.getQueryState(definition.key)?.error?.message).toBe('server gone')
  })
})

describe('a fetch that runs while a change is answered', () => {
  it('is read again, because it may have been read before the change', async () => {
    const outdated = answer<readonly Person[]>()
    fetchPage.mockReturnValueOnce(outdated.promise).mockResolvedValueOnce([bob])
    const fetching = client.query({ ...listQuery(definition), staleTime: 0 })
    await remove('a', async () => ({ kind: 'remove', id: 'a' }))
    outdated.resolve([ann, bob])
    await fetching
    expect(known()).toEqual([bob])
  })

  it('is read again even when the list was never known before', async () => {
    client.clear()
    const outdated = answer<readonly Person[]>()
    fetchPage.mockReturnValueOnce(outdated.promise).mockResolvedValueOnce([ann, bob])
    const fetching = client.query(listQuery(definition))
    await rename(ann, async () => ({ kind: 'save', person: ann }))
    outdated.resolve([bob])
    await fetching
    expect(known()).toEqual([ann, bob])
  })
})

it('after a failed fetch, the next answered change fetches the list again', async () => {
  const observer = new QueryObserver(client, { ...listQuery(definition), retry: false })
  const stop = observer.subscribe(() => {})
  fetchPage.mockRejectedValueOnce(new Error('server gone'))
  await observer.refetch()
  fetchPage.mockResolvedValue([bob])
  await remove('a', async () => ({ kind: 'remove', id: 'a' }))
  await vi.waitFor(() => expect(client.getQueryState(definition.key)?.status).toBe('success'))
  expect(fetchPage).toHaveBeenCalledTimes(3)
  stop()
})

it('an answer that comes after sign-out brings nothing back', async () => {
  const server = answer<Change>()
  const sent = rename({ id: 'a', name: 'Anna' }, () => server.promise)
  client.clear()
  server.resolve({ kind: 'save', person: { id: 'a', name: 'Anna' } })
  await sent
  expect(known()).toBeUndefined()
})

describe('the first pages of a long list', () => {
  it('show before the last one is there', async () => {
    client.clear()
    const second = answer<readonly Person[]>()
    fetchPage.mockResolvedValueOnce([ann]).mockReturnValueOnce(second.promise)
    const paged = { ...definition, pageSize: 1 }
    const fetching = client.query(listQuery(paged))
    await vi.waitFor(() =>
      expect(knownList(client, paged)).toEqual({ rows: [ann], complete: false, revision: 0 }),
    )
    second.resolve([])
    await fetching
    expect(knownList(client, paged)).toEqual({ rows: [ann], complete: true, revision: 0 })
  })

  it('never come back after sign-out', async () => {
    client.clear()
    const first = answer<readonly Person[]>()
    fetchPage.mockReturnValueOnce(first.promise)
    const paged = { ...definition, pageSize: 1 }
    const fetching = client.query(listQuery(paged)).catch(() => {})
    client.clear()
    first.resolve([ann])
    await fetching
    expect(knownList(client, paged)).toBeUndefined()
    expect(fetchPage).toHaveBeenCalledTimes(2)
  })
})
