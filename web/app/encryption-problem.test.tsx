import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { groupsOf, makePrayerKey } from '#web/data/encryption.ts'
import type { EncryptionStatus } from '#web/data/encryption-status.ts'
import { anna, failure, FakeServer, openSynced } from '#web/data/user-data.test-data.ts'
import { sessionWith } from '#web/lib/session/sample-session.test-data.ts'
import { startSession } from '#web/lib/session/session.ts'
import { writeStoredSession } from '#web/lib/session/stored-session.ts'
import { enter, press, renderWithData } from '#web/test-rendering.tsx'
import { EncryptionProblem } from './encryption-problem.tsx'

beforeEach(async () => {
  await startSession()
  act(() => writeStoredSession(JSON.stringify(sessionWith('token', 3600))))
})

afterEach(() => {
  cleanup()
  localStorage.clear()
})

/** Shows what there is to do in a state of the account. */
async function showIn(
  state: EncryptionStatus['state'],
  more: Pick<EncryptionStatus, 'isGivenUp' | 'neededKey'> = {},
) {
  const { data, sync } = await openSynced(new FakeServer())
  const status = () => ({ ...sync.status(), encryption: { state, replacing: null, ...more } })
  const inState = { ...(await data.opened), status }
  renderWithData(<EncryptionProblem />, { ...data, sync: () => inState })
}

const ENTER = 'Enter your prayer key'
const LOST = 'I have lost my prayer key'
const GO_ON = 'Go on without encryption'

it.each<[EncryptionStatus['state'], title: string, text: RegExp, ...buttons: string[]]>([
  ['key-needed', ENTER, /prayer key that this device does not have yet/, 'Continue', LOST],
  ['turned-off-key-needed', ENTER, /says that encryption was turned off/, 'Continue', GO_ON],
  ['restored-key-needed', ENTER, /restored.*Until then, nothing is sent/, 'Continue', LOST],
  ['turned-off', 'Encryption was turned off on another device', /nothing is sent until you do/, GO_ON],
  [
    'unproven',
    'The server says that your account is not encrypted any more',
    /nothing is sent until you do/,
    'Save data file',
    GO_ON,
  ],
  [
    'restored',
    'The server was restored to an earlier time',
    /Nothing was sent since/,
    'Save data file',
    'Encrypt my prayers again',
  ],
  ['forged', 'Nothing is being saved on the server', /not made with your prayer key/],
  ['insecure', 'This account needs https', /only on a site whose address begins with https/],
])('says in the state %s what has happened, and what can be done', async (state, title, text, ...buttons) => {
  await showIn(state)
  expect(screen.getByRole('heading').textContent).toBe(title)
  expect(screen.getByText(text)).toBeDefined()
  expect(screen.queryAllByRole('button').map(({ textContent }) => textContent)).toEqual(buttons)
})

it.each<[EncryptionStatus['state'], title: string, text: RegExp]>([
  ['restored', 'Prayers were deleted on another device', /it is deleted on this device, too/],
  ['turned-off', 'Encryption was turned off on another device', /nothing is sent until you do/],
])('offers a data file in the state %s if a key was given up elsewhere', async (state, title, text) => {
  await showIn(state, { isGivenUp: true })
  expect(screen.getByRole('heading').textContent).toBe(title)
  expect(screen.getByText(text)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Save data file' })).toBeDefined()
})

it('says that the key to be entered is a new one, on a device that has the one before', async () => {
  await showIn('key-needed', { neededKey: 'later' })
  expect(screen.getByText(/^A new prayer key was made on another device/)).toBeDefined()
})

it.each<[EncryptionStatus['state'], title: string, warning: RegExp, button: string]>([
  ['key-needed', LOST, /nobody can bring your prayers back/, 'Delete what cannot be read…'],
  ['turned-off-key-needed', GO_ON, /nothing proves that encryption was turned off/, GO_ON],
  ['restored-key-needed', LOST, /^Go on without encryption\?.*can then read your prayers/, GO_ON],
])('warns whoever does not have the key in the state %s', async (state, title, warning, button) => {
  await showIn(state)
  await press(title)
  expect(screen.getByRole('heading').textContent).toBe(title)
  expect(screen.getByText(warning)).toBeDefined()
  expect(screen.getByRole('button', { name: button })).toBeDefined()
  expect(document.activeElement?.textContent).toBe(title)
  await press('Cancel')
  expect(screen.getByRole('heading').textContent).toBe(ENTER)
})

it('tells a device that has not heard of the key how many characters are missing', async () => {
  const server = new FakeServer()
  server.put('prayers', anna)
  const prayerKey = await makePrayerKey()
  const { sync } = await openSynced(server)
  await (await sync.encryption()).begin(prayerKey)
  await sync.syncNow()
  const { data } = await openSynced(server)
  renderWithData(<EncryptionProblem />, data)
  enter('Prayer key', groupsOf(prayerKey).slice(1).join(' '))
  await press('Continue')
  expect(screen.getByRole('alert').textContent).toBe(
    'A prayer key has 24 letters and digits, in six groups of four. This has 20.',
  )
  await press('I have lost my prayer key')
  expect(screen.getByText(/saved a data file/)).toBeDefined()
  expect(screen.getByText(/not encrypted any more then: whoever/)).toBeDefined()
})

it('encrypts a restored server again, and says what to save before signing out if it asks for a recent sign-in', async () => {
  expectConsoleError('This is only possible shortly after signing in')
  const server = new FakeServer()
  server.put('prayers', anna)
  const { data, sync } = await openSynced(server)
  await (await sync.encryption()).begin(await makePrayerKey())
  await sync.syncNow()
  server.keys = []
  await sync.syncNow()
  renderWithData(<EncryptionProblem />, data)
  server.intercept = ({ path }) => (path === 'rpc/set_encryption_key' ? failure(403, 'PT403') : null)
  await press('Encrypt my prayers again')
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /Save your prayers as a file first, because signing out deletes what only this device has/,
  )
  server.intercept = () => null
  await press('Encrypt my prayers again')
  await expect.poll(() => screen.queryByRole('heading')).toBeNull()
  expect(server.keys).toHaveLength(1)
})

it('offers a data file before what is shown disappears, as its key was given up elsewhere', async () => {
  const server = new FakeServer()
  server.put('prayers', anna)
  const { data, sync } = await openSynced(server)
  await (await sync.encryption()).begin(await makePrayerKey())
  await sync.syncNow()
  renderWithData(<EncryptionProblem />, data)
  server.keys = server.keys.map((key) => ({ ...key, state: 'abandoned', proof: null, counter: 9 }))
  await act(() => sync.syncNow())
  const other = await openSynced(server)
  await (await other.sync.encryption()).begin(await makePrayerKey())
  await act(() => sync.syncNow())
  expect(screen.getByRole('heading', { name: 'Enter your prayer key' })).toBeDefined()
  expect(screen.getByText(/may then be deleted, too/)).toBeDefined()
})
