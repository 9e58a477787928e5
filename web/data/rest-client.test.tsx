import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import {
  rejectedRefresh,
  sessionWith,
  sessionWithApp,
  storeSession,
} from '#web/lib/session/sample-session.test-data.ts'
import {
  readEndedSession,
  readStoredSession,
  subscribeToStoredSession,
} from '#web/lib/session/stored-session.ts'
import { rememberedOf } from '#web/sync/sealing/remembered.ts'
import { rest, sendAs } from './rest-client.ts'
import { TABLES } from './tables.ts'

const fetchStub = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.stubGlobal('fetch', fetchStub)
})
afterEach(() => {
  localStorage.clear()
  // Ends a refresh that still waits.
  dispatchEvent(new Event('storage'))
})

const tokenRejected = () => Response.json({ code: 'PGRST303', message: 'JWT expired' }, { status: 401 })

const sentRequests = () => fetchStub.mock.calls.map(([input, init]) => new Request(input, init))

/** The access tokens of the data requests. */
function sentTokens(): (string | null)[] {
  const data = sentRequests().filter(({ url }) => url.includes('/rest/v1/'))
  return data.map(({ headers }) => headers.get('authorization'))
}

it('repeats a request with a new token when the server has rejected the old one', async () => {
  storeSession(sessionWith('old', 3600))
  fetchStub
    .mockResolvedValueOnce(tokenRejected())
    .mockResolvedValueOnce(Response.json(sessionWith('new', 3600)))
    .mockResolvedValueOnce(Response.json([]))
  expect(await rest.from('prayers').select()).toMatchObject({ status: 200, data: [] })
  expect(sentTokens()).toEqual(['Bearer access-old', 'Bearer access-new'])
})

it.each([
  ['session_not_found', 'expired'],
  ['user_not_found', 'account-deleted'],
])('ends a session that the server has ended: %s', async (code, reason) => {
  storeSession(sessionWith(code, 3600))
  fetchStub
    .mockResolvedValueOnce(tokenRejected())
    .mockResolvedValueOnce(rejectedRefresh('session_not_found'))
    .mockResolvedValueOnce(Response.json({ code: 403, error_code: code, msg: '' }, { status: 403 }))
  const reasons: unknown[] = []
  const unsubscribe = subscribeToStoredSession(() => reasons.push(readEndedSession()?.reason))
  expect(await rest.from('prayers').select()).toMatchObject({ status: 401 })
  unsubscribe()
  expect(reasons).toEqual([reason])
})

it('does not take a session for ended on purpose that the server does not know', async () => {
  storeSession(sessionWith('lost', 3600))
  fetchStub.mockResolvedValueOnce(tokenRejected()).mockResolvedValueOnce(rejectedRefresh())
  expect(await rest.from('prayers').select()).toMatchObject({ status: 401 })
  expect(readEndedSession()?.reason).toBe('lost')
  expect(fetchStub).toHaveBeenCalledTimes(2)
})

describe('when the account needs the code of an authenticator app', () => {
  const codeNeeded = () => Response.json({ code: 'PT401', message: 'This account needs' }, { status: 401 })
  beforeEach(() => {
    const { factors: _unknown, ...user } = sessionWithApp('aal1').user
    storeSession({ ...sessionWithApp('aal1'), user })
    fetchStub.mockResolvedValueOnce(codeNeeded())
  })

  it('learns that, and neither refreshes the session nor ends it', async () => {
    fetchStub.mockResolvedValueOnce(Response.json(sessionWithApp('aal1').user))
    expect(await rest.from('prayers').select()).toMatchObject({ status: 401, error: { code: 'PT401' } })
    expect(readStoredSession()).toMatchObject({ refresh_token: 'aal1', user: { factors: [{}] } })
    expect(sentRequests().map(({ url }) => url)).toEqual([
      expect.stringContaining('/rest/v1/prayers'),
      expect.stringContaining('/auth/v1/user'),
    ])
  })

  it('learns it later if the server cannot be reached now', async () => {
    expectConsoleError('TypeError: Failed to fetch')
    fetchStub.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    expect(await rest.from('prayers').select()).toMatchObject({ status: 401, error: { code: 'PT401' } })
    expect(readStoredSession()?.user.factors).toBeUndefined()
  })
})

it('keeps the session with which another tab has signed in meanwhile', async () => {
  storeSession(sessionWith('rejected', 3600))
  fetchStub
    .mockResolvedValueOnce(tokenRejected())
    .mockImplementationOnce(async () => {
      storeSession(sessionWith('other', 3600))
      return rejectedRefresh()
    })
    .mockResolvedValueOnce(Response.json([]))
  expect(await rest.from('prayers').select()).toMatchObject({ status: 200 })
  expect(readStoredSession()?.refresh_token).toBe('other')
})

it('does not repeat a request as another user who has signed in meanwhile', async () => {
  storeSession(sessionWith('old', 3600))
  fetchStub.mockImplementationOnce(async () => {
    storeSession(sessionWith('naomi', 3600, 'naomi'))
    return tokenRejected()
  })
  expect(await rest.from('prayers').delete().eq('id', '1')).toMatchObject({ status: 401 })
  expect(sentTokens()).toEqual(['Bearer access-old'])
})

it('sends nothing when the token has expired and the server cannot be reached', async () => {
  storeSession(sessionWith('expired', -3600))
  fetchStub.mockRejectedValue(new TypeError('Failed to fetch'))
  const { status, error } = await rest.from('prayers').select()
  expect(status).toBe(0)
  expect(error?.message).toMatch(/^NetworkUnavailableError: /)
  expect(error?.code).toBe('')
  expect(sentTokens()).toEqual([])
})

describe('a request for the data of a user', () => {
  const URL = 'http://localhost/rest/v1/prayers'

  it('is sent with the token of that user', async () => {
    storeSession(sessionWith('current', 3600))
    fetchStub.mockResolvedValueOnce(Response.json([]))
    await sendAs('ruth', URL)
    expect(sentTokens()).toEqual(['Bearer access-current'])
  })

  it('is not sent when another user is signed in', async () => {
    storeSession(sessionWith('naomi', 3600, 'naomi'))
    await expect(sendAs('ruth', URL)).rejects.toThrow('User not authenticated')
    expect(fetchStub).not.toHaveBeenCalled()
  })

  it('is not sent when no one is signed in', async () => {
    await expect(sendAs('ruth', URL)).rejects.toThrow('User not authenticated')
    expect(fetchStub).not.toHaveBeenCalled()
  })

  describe('who has encrypted the account', () => {
    const seals = { key: '8QJ4T0XN5VKC2MHD.2', counter: 2, proof: null, seals: true }
    const sealed = { name: 'enc1.8QJ4T0XN5VKC2MHD.AAAA', order: 1, note: null, answer: '' }
    const sendBody = (body: unknown) =>
      sendAs('ruth', URL, { method: 'POST', body: JSON.stringify(body) }).then(({ status }) => status)
    beforeEach(() => {
      storeSession(sessionWith('current', 3600))
      fetchStub.mockImplementation(async () => Response.json([]))
      rememberedOf('ruth').set(seals)
    })

    it.each<[string, unknown]>([
      ...Object.values(TABLES).flatMap(({ typed }) =>
        typed.map((name): [string, unknown] => [`plain: ${name}`, { [name]: 'Rain' }]),
      ),
      ['sealed with another key', [sealed, { body: 'enc1.8QJ4T0XN5VKC2MHX.AAAA' }]],
      ['plain in an argument', { data: { name: 'x' } }],
    ])('is not sent with a text that is %s', async (_what, body) => {
      await expect(sendBody(body)).rejects.toThrow('without being sealed')
      expect(fetchStub).not.toHaveBeenCalled()
    })

    it('is not sent with a body that cannot be checked', async () => {
      const body = new Blob([JSON.stringify(sealed)])
      await expect(sendAs('ruth', URL, { method: 'POST', body })).rejects.toThrow('cannot be checked')
      expect(fetchStub).not.toHaveBeenCalled()
    })

    it('is sent with texts that are sealed', async () => {
      expect(await sendBody(sealed)).toBe(200)
    })

    it('is sent with any text once encryption is off', async () => {
      rememberedOf('ruth').set({ ...seals, seals: false })
      expect(await sendBody({ note: 'Rain' })).toBe(200)
    })
  })
})
