import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Change, deletedRow, editedRow, savedRow, sendChange, whenSettled } from './change-list.ts'
import { cachedList, fetchRows, listQuery, type UserList, userList } from './list.ts'

type Person = { id: string; name: string }

const ann = { id: 'a', name: 'Ann' }
const bob = { id: 'b', name: 'Bob' }
const byId = (a: Person, b: Person) => a.id.localeCompare(b.id)

/** A response that the test sends when it wants to. */
function delayedResponse<T>() {
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
let list: UserList<Person>

beforeEach(async () => {
  client = new QueryClient()
  fetchPage = vi.fn(async (): Promise<readonly Person[]> => [ann, bob])
  list = userList({ table: 'prayers', fetchPage, pageSize: 100 }, client, 'me')
  await fetchRows(list)
})

afterEach(() => client.clear())

const cached = () => cachedList(list)?.rows
/** The cached rows with the pending changes applied, as the user sees them. */
const shown = () =>
  client
    .getMutationCache()
    .findAll({ mutationKey: list.key, status: 'pending' })
    .map((mutation) => mutation.state.variables)
    .filter(isChange)
    .reduce((rows, change) => change(rows), cached() ?? [])

function isChange(variables: unknown): variables is Change<Person> {
  return typeof variables === 'function'
}

function rename(person: Person, send: () => Promise<Change<Person>>) {
  return sendChange(list, { change: savedRow(person, byId), row: person.id, send, onFailure: 'restore-row' })
}

function remove(id: string, send: () => Promise<Change<Person>> = async () => deletedRow(id)) {
  return sendChange(list, { change: deletedRow(id), row: id, send, onFailure: 'refetch' })
}

describe('a change', () => {
  const oldest = { id: 'a', at: 1 }
  const middle = { id: 'b', at: 2 }
  const newest = { id: 'c', at: 3 }
  const rows = [newest, middle, oldest]
  const newestFirst = (a: { at: number }, b: { at: number }) => b.at - a.at
  const save = (row: { id: string; at: number }) => savedRow(row, newestFirst)

  it('that saves a new row puts it at its place in the order', () => {
    const added = { id: 'n', at: 2.5 }
    expect(save(added)(rows)).toEqual([newest, added, middle, oldest])
    const ancient = { id: 'z', at: 0 }
    expect(save(ancient)(rows)).toEqual([newest, middle, oldest, ancient])
  })

  it('that saves an existing row replaces it in its place, however often it is applied', () => {
    const saved = { ...middle, name: 'Ruth' }
    const once = save(saved)(rows)
    expect(once).toEqual([newest, saved, oldest])
    expect(save(saved)(once)).toEqual(once)
  })

  it('that saves an existing row under another place in the order moves it', () => {
    const moved = { ...oldest, at: 9 }
    expect(save(moved)(rows)).toEqual([moved, newest, middle])
  })

  it('that edits a row touches only its fields and only this row', () => {
    const edited = editedRow<{ id: string; at: number; name?: string }>('b', { name: 'Ruth' })(rows)
    expect(edited).toEqual([newest, { ...middle, name: 'Ruth' }, oldest])
    expect(edited[0]).toBe(newest)
    expect(edited[2]).toBe(oldest)
  })

  it('that deletes a row leaves the others in their order', () => {
    expect(deletedRow('b')(rows)).toEqual([newest, oldest])
  })
})

describe('a pending change', () => {
  it('shows until the server responds; then what the server saved is cached', async () => {
    const response = delayedResponse<Change<Person>>()
    const sent = rename({ id: 'a', name: 'Anna' }, () => response.promise)
    expect(shown()).toEqual([{ id: 'a', name: 'Anna' }, bob])
    expect(cached()).toEqual([ann, bob])
    response.resolve(savedRow({ id: 'a', name: 'Anna (saved)' }, byId))
    await sent
    expect(shown()).toEqual([{ id: 'a', name: 'Anna (saved)' }, bob])
    expect(cached()).toEqual([{ id: 'a', name: 'Anna (saved)' }, bob])
  })

  it('waits for an earlier change of the same row, but not for one of another row', async () => {
    const first = delayedResponse<Change<Person>>()
    const second = vi.fn(async () => savedRow({ id: 'a', name: '2' }, byId))
    const other = vi.fn(async () => deletedRow<Person>('b'))
    const sent = [
      rename({ id: 'a', name: '1' }, () => first.promise),
      rename({ id: 'a', name: '2' }, second),
      remove('b', other),
    ]
    await sent[2]
    expect(other).toHaveBeenCalledTimes(1)
    expect(second).not.toHaveBeenCalled()
    first.resolve(savedRow({ id: 'a', name: '1' }, byId))
    await Promise.all(sent)
    expect(cached()).toEqual([{ id: 'a', name: '2' }])
  })

  it('that fails late leaves a later change of the same row alone', async () => {
    const first = delayedResponse<Change<Person>>()
    const failing = rename({ id: 'a', name: '1' }, () => first.promise)
    const later = rename({ id: 'a', name: '2' }, async () => {
      fetchPage.mockResolvedValue([{ id: 'a', name: '2' }, bob])
      return savedRow({ id: 'a', name: '2' }, byId)
    })
    first.reject(new Error('too late'))
    await expect(failing).rejects.toThrow('too late')
    await later
    await whenSettled(list)
    await client.query({ ...listQuery(list), staleTime: 0 })
    expect(cached()).toEqual([{ id: 'a', name: '2' }, bob])
  })
})

describe('a change that fails', () => {
  it('with restore-row is undone at once, and the list is fetched again', async () => {
    const refetch = delayedResponse<readonly Person[]>()
    fetchPage.mockReturnValueOnce(refetch.promise)
    const sent = rename({ id: 'a', name: 'Anna' }, () => Promise.reject(new Error('no')))
    await expect(sent).rejects.toThrow('no')
    expect(shown()).toEqual([ann, bob])
    expect(fetchPage).toHaveBeenCalledTimes(2)
    refetch.resolve([bob])
    await vi.waitFor(() => expect(cached()).toEqual([bob]))
  })

  it('with refetch shows until the list has been fetched again', async () => {
    const refetch = delayedResponse<readonly Person[]>()
    fetchPage.mockReturnValueOnce(refetch.promise)
    const sent = remove('a', () => Promise.reject(new Error('no')))
    await vi.waitFor(() => expect(fetchPage).toHaveBeenCalledTimes(2))
    expect(shown()).toEqual([bob])
    refetch.resolve([ann, bob, { id: 'c', name: 'Cid' }])
    await expect(sent).rejects.toThrow('no')
    expect(shown()).toEqual([ann, bob, { id: 'c', name: 'Cid' }])
  })

  it('shows the rows from before when fetching fails too, after one attempt', async () => {
    fetchPage.mockRejectedValue(new Error('connection lost'))
    await expect(remove('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(shown()).toEqual([ann, bob])
    expect(fetchPage).toHaveBeenCalledTimes(2)
    expect(client.getQueryState(list.key)?.error?.message).toBe('connection lost')
  })
})

describe('a fetch during which a change completes', () => {
  it('starts again, because its rows may have been read before the change', async () => {
    const outdated = delayedResponse<readonly Person[]>()
    fetchPage.mockReturnValueOnce(outdated.promise).mockResolvedValueOnce([bob])
    const fetching = client.query({ ...listQuery(list), staleTime: 0 })
    await remove('a')
    outdated.resolve([ann, bob])
    await fetching
    expect(cached()).toEqual([bob])
  })

  it('starts again even when the list was never cached before', async () => {
    client.clear()
    const outdated = delayedResponse<readonly Person[]>()
    fetchPage.mockReturnValueOnce(outdated.promise).mockResolvedValueOnce([ann, bob])
    const fetching = fetchRows(list)
    await rename(ann, async () => savedRow(ann, byId))
    outdated.resolve([bob])
    await fetching
    expect(cached()).toEqual([ann, bob])
  })
})

it('after a failed fetch, the next completed change fetches the list again', async () => {
  const observer = new QueryObserver(client, { ...listQuery(list), retry: false })
  const unsubscribe = observer.subscribe(() => {})
  fetchPage.mockRejectedValueOnce(new Error('connection lost'))
  await observer.refetch()
  fetchPage.mockResolvedValue([bob])
  await remove('a')
  await vi.waitFor(() => expect(client.getQueryState(list.key)?.status).toBe('success'))
  expect(fetchPage).toHaveBeenCalledTimes(3)
  unsubscribe()
})

it('a response after signing out restores nothing', async () => {
  const response = delayedResponse<Change<Person>>()
  const sent = rename({ id: 'a', name: 'Anna' }, () => response.promise)
  client.clear()
  response.resolve(savedRow({ id: 'a', name: 'Anna' }, byId))
  await sent
  expect(cached()).toBeUndefined()
})

describe('the first pages of a long list', () => {
  it('show before the last page has been received', async () => {
    client.clear()
    const second = delayedResponse<readonly Person[]>()
    fetchPage.mockResolvedValueOnce([ann]).mockReturnValueOnce(second.promise)
    const paged = { ...list, pageSize: 1 }
    const fetching = fetchRows(paged)
    await vi.waitFor(() => expect(cachedList(paged)).toEqual({ rows: [ann], complete: false, revision: 0 }))
    second.resolve([])
    await fetching
    expect(cachedList(paged)).toEqual({ rows: [ann], complete: true, revision: 0 })
  })

  it('are not cached after signing out', async () => {
    client.clear()
    const first = delayedResponse<readonly Person[]>()
    fetchPage.mockReturnValueOnce(first.promise)
    const paged = { ...list, pageSize: 1 }
    const fetching = fetchRows(paged).catch(() => {})
    client.clear()
    first.resolve([ann])
    await fetching
    expect(cachedList(paged)).toBeUndefined()
    expect(fetchPage).toHaveBeenCalledTimes(2)
  })
})
