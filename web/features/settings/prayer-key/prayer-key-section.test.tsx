import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { makePrayerKey } from '#web/data/encryption.ts'
import { anna, connectionLost, failure, FakeServer, openSynced } from '#web/data/user-data.test-data.ts'
import { sessionWith } from '#web/lib/session/sample-session.test-data.ts'
import { startSession } from '#web/lib/session/session.ts'
import { writeStoredSession } from '#web/lib/session/stored-session.ts'
import { enter, press, renderWithData } from '#web/test-rendering.tsx'
import { PrayerKeySection } from './prayer-key-section.tsx'

beforeEach(async () => {
  vi.stubGlobal('fetch', async () => Response.json({ prayers: 1, categories: 0, signed_in_lately: true }))
  await startSession()
  act(() => writeStoredSession(JSON.stringify(sessionWith('token', 3600))))
})

afterEach(() => {
  cleanup()
  localStorage.clear()
  dispatchEvent(new Event('pageshow'))
})

/** Shows the section, in an account that has a prayer key or none. */
async function show(prayerKey: string | null) {
  const server = new FakeServer()
  server.put('prayers', anna)
  const { data, sync } = await openSynced(server)
  if (prayerKey !== null) await (await sync.encryption()).begin(prayerKey)
  await sync.syncNow()
  const { rerender } = renderWithData(<PrayerKeySection />, data)
  return { server, sync, leave: () => rerender(<p>Another page</p>) }
}

const announced = () => screen.getAllByRole('status').map(({ textContent }) => textContent)
const shownGroups = async () => (await screen.findByText(/^([0-9A-Z]{4} ?){6}$/)).textContent.split(' ')
/** As people type it who cannot tell O from 0, or L from 1. */
const misread = (group = '') => group.toLowerCase().replaceAll('0', 'O').replaceAll('1', 'l')
const isUnloadConfirmed = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))

it('encrypts with a key of which two groups were typed, says that it can be left alone, and when it is done', async () => {
  const { server, sync } = await show(null)
  expect(screen.getByText(/nobody can bring your prayers back/)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Save data file' })).toBeDefined()
  await press('Make a prayer key')
  await screen.findByRole('heading', { name: 'Your prayer key' })
  expect(screen.getByText(/Step 1 of 2.*nothing is encrypted/)).toBeDefined()
  const groups = await shownGroups()
  await press('I have written it down')
  enter('Second group', '0000')
  enter('Fifth group', misread(groups[4]))
  await press('Encrypt my prayers')
  expect(screen.getByRole('alert').textContent).toBe('This is not what you were shown')
  await press('Show the key again')
  await press('I have written it down')
  expect(screen.getByLabelText<HTMLInputElement>('Fifth group').value).toBe(misread(groups[4]))
  enter('Second group', misread(groups[1]))
  server.intercept = ({ path }) => (path === 'rpc/replace_texts' ? connectionLost() : null)
  await press('Encrypt my prayers')
  const progress = await screen.findByRole('progressbar', {
    name: /^Your prayers are being encrypted\. .*close it/,
  })
  expect(document.activeElement?.id).toBe(progress.getAttribute('aria-labelledby'))
  expect(announced().join('')).toBe('')
  server.intercept = () => null
  await act(() => sync.syncNow())
  expect(screen.queryByRole('progressbar')).toBeNull()
  expect(announced()).toContain('Your prayers are encrypted')
  expect(screen.getByText(/^Your prayers are encrypted\. Only devices/)).toBeDefined()
})

it('says of a new key that it is not in use before it is, also when it is left', async () => {
  const { server, sync } = await show(await makePrayerKey())
  await press('Make a new prayer key')
  await screen.findByRole('heading', { name: 'Your new prayer key' })
  await press('I have written it down')
  expect(screen.getByText(/Step 2 of 2.*not in use yet: keep your old one/)).toBeDefined()
  expect(isUnloadConfirmed()).toBe(true)
  await press('Show the key again')
  await press('Cancel')
  expect(announced()).toContain('The new prayer key is not used: cross it out, and keep your old one.')
  expect(isUnloadConfirmed()).toBe(false)

  await press('Make a new prayer key')
  const groups = await shownGroups()
  await press('I have written it down')
  enter('Second group', groups[1] ?? '')
  enter('Fifth group', groups[4] ?? '')
  server.intercept = ({ path }) => (path === 'rpc/set_encryption_key' ? connectionLost() : null)
  expectConsoleError('Failed to make a prayer key')
  await press('Use the new key')
  await screen.findByText(/may be in use already: keep both/)
  server.intercept = () => null
  await press('Use the new key')
  await screen.findByRole('progressbar')
  await act(async () => {
    while (!(await sync.syncNow()));
  })
  expect(announced()).toContain(
    'Your prayers are encrypted with your new prayer key. Mark the old one as old: it is needed only if the server is restored from an older backup.',
  )
  expect(server.keys).toMatchObject([{ state: 'replaced' }, { state: 'on' }])
})

describe('a key that could not be put to use', () => {
  /** Makes a key. Resolves to what tries to encrypt with it, and to what is said of it after that has failed. */
  async function made() {
    const shown = await show(null)
    await press('Make a prayer key')
    const groups = await shownGroups()
    await press('I have written it down')
    enter('Second group', groups[1] ?? '')
    enter('Fifth group', groups[4] ?? '')
    const begin = () => press('Encrypt my prayers')
    const attempt = async (error: string) => {
      expectConsoleError('Failed to make a prayer key')
      await begin()
      await expect.poll(() => screen.queryByRole('alert')?.textContent).toContain(error)
      return screen.getByText(/^Step 2/).textContent
    }
    return { ...shown, begin, attempt }
  }

  it('is not in use if the server has refused it, unless an earlier attempt may have put it to use', async () => {
    const { server, attempt } = await made()
    const respond = (response: () => Response) => {
      server.intercept = ({ path }) => (path === 'rpc/set_encryption_key' ? response() : null)
    }
    respond(() => failure(400, 'IC002', 'Changed elsewhere'))
    expect(await attempt('Changed elsewhere')).toContain('is not in use yet. Please')
    respond(connectionLost)
    expect(await attempt('Failed to make a prayer key')).toContain('may be in use already: keep it')
    respond(() => failure(400, 'IC002', 'Changed elsewhere'))
    expect(await attempt('Changed elsewhere')).toContain('may be in use already: keep it')
  })

  it('may be in use if the page is left before the server has responded', async () => {
    const { server, begin, leave } = await made()
    server.intercept = ({ path }) => {
      if (path === 'rpc/set_encryption_key') leave()
      return null
    }
    await begin()
    await expect.poll(announced).toContain('The prayer key may be in use already: keep it.')
    await expect.poll(() => server.keys).toHaveLength(1)
  })

  it('is not put to use after the page was left and it was said that it is not used', async () => {
    const { sync, begin, leave } = await made()
    const encryption = vi.spyOn(sync, 'encryption')
    vi.stubGlobal('fetch', async () => {
      leave()
      return Response.json({ prayers: 1, categories: 0, signed_in_lately: true })
    })
    await begin()
    await expect.poll(announced).toContain('The prayer key is not used: cross it out. Nothing is encrypted.')
    await act(() => sync.syncNow())
    await act(() => sync.syncNow())
    expect(encryption).not.toHaveBeenCalled()
  })

  it('is not in use if another device was faster', async () => {
    const { server, attempt } = await made()
    const other = await openSynced(server)
    await (await other.sync.encryption()).begin(await makePrayerKey())
    expect(await attempt('see the message at the top')).toContain('is not in use yet. Please')
  })
})

it('says on another device that not all is encrypted yet, and offers to encrypt the rest there', async () => {
  const server = new FakeServer()
  server.put('prayers', anna)
  const prayerKey = await makePrayerKey()
  const { sync: first } = await openSynced(server)
  await (await first.encryption()).begin(prayerKey)
  const { data, sync } = await openSynced(server)
  await (await sync.encryption()).enter(prayerKey)
  await sync.syncNow()
  renderWithData(<PrayerKeySection />, data)
  expect(screen.getByText(/^Not all of your prayers are encrypted yet/)).toBeDefined()
  expect(screen.queryByRole('progressbar')).toBeNull()
  await screen.findByRole('heading', { name: /not encrypted$/ })
  await press('Encrypt now')
  await expect.poll(() => server.keys).toMatchObject([{ state: 'on' }])
  await expect.poll(announced).toContain('Your prayers are encrypted')
})

it('tells whether what was written down is the key', async () => {
  const prayerKey = await makePrayerKey()
  await show(prayerKey)
  await press('Check my key')
  enter('Prayer key', await makePrayerKey())
  await press('Check')
  expect((await screen.findByRole('alert')).textContent).toMatch(/^This is not the prayer key/)
  enter('Prayer key', misread(prayerKey))
  await press('Check')
  await expect.poll(announced).toContain('This is your prayer key')
  expect(screen.getByRole('heading', { name: 'Prayer key' })).toBeDefined()
})

it('says when the key is turned off', async () => {
  const { sync } = await show(await makePrayerKey())
  await press('Turn off')
  await press('Turn off')
  await screen.findByText(/Whoever runs this server can read/)
  await act(() => sync.syncNow())
  expect(announced().join()).toContain('The prayer key is turned off')
})

it('gives up an earlier key that is lost while a new one takes its place', async () => {
  const { server, sync } = await show(await makePrayerKey())
  cleanup()
  const newKey = await makePrayerKey()
  server.intercept = ({ path }) => (path === 'rpc/replace_texts' ? connectionLost() : null)
  await (await sync.encryption()).begin(newKey)
  const other = await openSynced(server)
  await (await other.sync.encryption()).enter(newKey)
  await other.sync.syncNow()
  renderWithData(<PrayerKeySection />, other.data)
  expect(screen.getByRole('button', { name: 'Turn off' })).toHaveProperty('disabled', true)
  await press('I have lost the earlier key')
  await press('Delete what cannot be read')
  expect(screen.getByRole('alert').textContent).toBe('Please type DELETE')
  enter('Type DELETE to confirm', 'DELETE')
  await press('Delete what cannot be read')
  const { key_id } = server.keys[0] ?? {}
  await expect
    .poll(() => server.changes)
    .toContainEqual(
      expect.objectContaining({ body: expect.objectContaining({ key_id, category_names: {} }) }),
    )
})

it('saves a file that is named and marked by its day', async () => {
  const files: Blob[] = []
  const names: string[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file)
    return 'blob:'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  vi.setSystemTime('2026-11-28T12:00:00Z')
  await show(null)
  await press('Make a prayer key')
  const groups = await shownGroups()
  await press('Save file')
  expect(names).toEqual(['intercede-prayer-key-2026-11-28.txt'])
  const text = await files[0]?.text()
  expect(text).toContain(groups.join(' '))
  expect(text).toMatch(/^Made on \d+ \w+ 2026 at \d\d:\d\d$/m)
})
