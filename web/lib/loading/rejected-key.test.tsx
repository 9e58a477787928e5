import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const reload = vi.fn<() => Promise<void>>()
const offerReload = vi.fn<(reload: () => void) => void>()
const wasReloaded = vi.fn<() => boolean>()
const REJECTED = { message: 'Invalid API key', hint: 'Double check your API key.' }

/** The page that the server has now. */
function servePage(config: object | null): void {
  const meta = document.createElement('meta')
  meta.name = 'intercede-config'
  meta.content = JSON.stringify(config)
  const page = `<html><head>${config === null ? '' : meta.outerHTML}</head><body></body></html>`
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(page)),
  )
}

async function receive(body: unknown): Promise<void> {
  const { handleRejectedKey } = await import('./rejected-key.ts')
  await handleRejectedKey(new Response(JSON.stringify(body), { status: 401 }))
}

beforeEach(() => {
  vi.resetModules()
  vi.doMock('./reload.ts', () => ({ offerReload, reloadFromServer: reload, wasReloaded }))
  wasReloaded.mockReturnValue(false)
})

afterEach(() => {
  vi.doUnmock('./reload.ts')
  vi.resetModules()
  document.body.replaceChildren()
})

it('loads the page again if the server has another key, once', async () => {
  servePage({ anonKey: 'another key' })
  await Promise.all([receive(REJECTED), receive(REJECTED)])
  await receive(REJECTED)
  expect(reload).toHaveBeenCalledTimes(1)
  expect(fetch).toHaveBeenCalledExactlyOnceWith('/', { cache: 'no-store' })
})

it.each([
  ['has the same key', { anonKey: '' }],
  ['has no configuration, as with a static site', null],
])('does nothing if the page of the server %s', async (_case, config) => {
  servePage(config)
  await receive(REJECTED)
  expect(reload).not.toHaveBeenCalled()
  expect(offerReload).not.toHaveBeenCalled()
})

it('asks again at the next rejection if a server with the former key, or none, has responded', async () => {
  vi.stubGlobal('fetch', vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch')))
  await receive(REJECTED)
  servePage({ anonKey: '' })
  await receive(REJECTED)
  expect(reload).not.toHaveBeenCalled()
  servePage({ anonKey: 'another key' })
  await receive(REJECTED)
  expect(reload).toHaveBeenCalledTimes(1)
})

it('leaves other errors alone', async () => {
  servePage({ anonKey: 'another key' })
  await receive({ code: 'PGRST303', message: 'JWT expired' })
  expect(fetch).not.toHaveBeenCalled()
})

it.each([
  ['a field has the focus', () => document.body.appendChild(document.createElement('input')).focus()],
  [
    'a dialog is open',
    () => document.body.appendChild(document.createElement('dialog')).setAttribute('open', ''),
  ],
  ['the page has just been reloaded', () => wasReloaded.mockReturnValue(true)],
])('only offers to load the page again when %s', async (_case, arrange) => {
  arrange()
  servePage({ anonKey: 'another key' })
  await receive(REJECTED)
  expect(reload).not.toHaveBeenCalled()
  const [offered] = offerReload.mock.calls[0] ?? []
  offered?.()
  expect(reload).toHaveBeenCalledTimes(1)
})
