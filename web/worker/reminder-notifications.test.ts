import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answerClick, passOnNewSubscription, showReminder } from './reminder-notifications.ts'

const MESSAGE = {
  tag: 'Q1',
  title: 'Time to pray.',
  body: '6 people are planned for today.',
  notToday: 'https://prayers.example.org/reminders/v1/not-today?token=1.2.3',
  turnOff: 'https://prayers.example.org/reminders/v1/off?token=1.2.3',
}

const showNotification = vi.fn<ServiceWorkerRegistration['showNotification']>()
const openWindow = vi.fn<Clients['openWindow']>()
const fetchStub = vi.fn<typeof fetch>()
/** The open windows. */
let windows: {
  focus: () => Promise<void>
  navigate: (url: string) => Promise<void>
  postMessage: () => void
}[]

beforeEach(() => {
  windows = []
  vi.stubGlobal('API_URL', 'https://api.example.org')
  vi.stubGlobal('fetch', fetchStub)
  vi.stubGlobal('self', {
    registration: { showNotification },
    clients: { openWindow, matchAll: async () => windows },
  })
})

/** What the browser has received. */
const received = (text: string) => ({ json: (): unknown => JSON.parse(text) })

const close = vi.fn<() => void>()
const press = (action: string, data: unknown = MESSAGE) =>
  answerClick({ action, notification: { data, close } })

describe('a message', () => {
  it('is shown with its two actions, in place of the one with the same tag', async () => {
    await showReminder(received(JSON.stringify(MESSAGE)))
    expect(showNotification.mock.calls).toMatchObject([
      [
        'Time to pray.',
        {
          body: '6 people are planned for today.',
          tag: 'Q1',
          actions: [
            { action: 'not-today', title: 'Not today' },
            { action: 'off', title: 'Turn off' },
          ],
        },
      ],
    ])
  })

  it('has no second line if nobody is planned', async () => {
    const { body: _body, ...message } = MESSAGE
    await showReminder(received(JSON.stringify(message)))
    expect(showNotification.mock.calls[0]?.[1]).not.toHaveProperty('body')
  })

  it.each(['', 'not JSON', '{"title": "Time to pray."}'])(
    'that cannot be read, such as %j, is shown all the same',
    async (text) => {
      await showReminder(received(text))
      await showReminder(null)
      expect(showNotification.mock.calls.map(([title]) => title)).toEqual(['Time to pray.', 'Time to pray.'])
    },
  )
})

describe('pressing the notification', () => {
  const focus = vi.fn<() => Promise<void>>()
  const navigate = vi.fn<(url: string) => Promise<void>>()

  it('opens Pray', async () => {
    await press('')
    expect(openWindow).toHaveBeenCalledWith('/pray')
    expect(close).toHaveBeenCalled()
    expect(fetchStub).not.toHaveBeenCalled()
  })

  it.each([
    ['', async () => {}],
    [', also if the browser refuses to bring it to the front', () => Promise.reject(new Error('late'))],
  ])('opens it in the window that is open%s', async (_case, bringToFront) => {
    focus.mockImplementation(bringToFront)
    windows = [{ focus, navigate, postMessage: () => {} }]
    await press('')
    expect(focus).toHaveBeenCalled()
    expect(navigate).toHaveBeenCalledWith('/pray')
    expect(openWindow).not.toHaveBeenCalled()
  })

  it('opens it also for a message that could not be read', async () => {
    await press('', null)
    expect(openWindow).toHaveBeenCalledWith('/pray')
  })
})

describe('the actions', () => {
  it.each([
    ['not-today', '/reminders/v1/not-today?token=1.2.3'],
    ['off', '/reminders/v1/off?token=1.2.3'],
  ])('%s follows its link at the API, without opening the app', async (action, path) => {
    fetchStub.mockResolvedValue(Response.json({ enabled: false, remind_at: '07:00' }))
    await press(action)
    expect(fetchStub).toHaveBeenCalledWith(`https://api.example.org${path}`, {
      method: 'POST',
      keepalive: true,
    })
    expect(close).toHaveBeenCalled()
    expect([showNotification, openWindow].map((called) => called.mock.calls)).toEqual([[], []])
  })

  it('have nothing left to do for a reminder that was deleted', async () => {
    fetchStub.mockResolvedValue(new Response('', { status: 404 }))
    await press('off')
    expect(showNotification).not.toHaveBeenCalled()
  })

  it.each([
    ['the network is gone', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['the server fails', async () => new Response('', { status: 503 })],
  ])('are offered again if %s', async (_case, respond) => {
    fetchStub.mockImplementation(respond)
    await press('off')
    const [title, options] = showNotification.mock.calls[0] ?? []
    expect(title).toBe('That did not work.')
    expect(options).toMatchObject({ tag: 'Q1', actions: [{ action: 'not-today' }, { action: 'off' }] })
    fetchStub.mockResolvedValue(Response.json({}))
    await press('off', options?.data)
    expect(fetchStub).toHaveBeenCalledTimes(2)
    expect(showNotification).toHaveBeenCalledOnce()
  })
})

it('tells the open pages when the browser has replaced the subscription', async () => {
  const postMessage = vi.fn<() => void>()
  windows = [{ focus: async () => {}, navigate: async () => {}, postMessage }]
  await passOnNewSubscription()
  expect(postMessage).toHaveBeenCalledWith('subscription-changed')
})
