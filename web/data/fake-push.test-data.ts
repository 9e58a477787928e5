import { vi } from 'vitest'
import { isRecord } from '#shared/is-record.ts'

/** The server's key for push messages. */
export const PUSH_KEY = 'BAcd-_8'

/** A browser with push messages, and what our server knows of it. */
export class FakePush {
  permission: NotificationPermission = 'granted'
  /** What the user says when the browser asks; null: closes the question. */
  answer: NotificationPermission | null = 'granted'
  /** How often the browser has asked. */
  asked = 0
  /** Whether the browser's push service can be reached. */
  works = true
  subscription: ReturnType<FakePush['makeSubscription']> | null = null
  /** The endpoint that the server has for this session. */
  registered: string | null = null
  otherDevices = 0
  /** The requests about the subscription, by method. */
  readonly requests: string[] = []
  /** Responds to such a request instead of the server. */
  intercept: (method: string) => Response | null = () => null
  readonly #listeners = new Set<(event: { data: unknown }) => void>()
  #subscriptions = 0

  /** Puts it in the place of the browser's own. It is removed after the test, as is everything else that is stubbed. */
  install(changes: object = {}): void {
    const readPermission = () => this.permission
    vi.stubGlobal('PushManager', {})
    vi.stubGlobal('Notification', {
      get permission() {
        return readPermission()
      },
      requestPermission: async () => {
        this.asked += 1
        this.permission = this.answer ?? this.permission
      },
    })
    const registration = {
      active: {},
      pushManager: {
        getSubscription: async () => this.subscription,
        subscribe: async ({ applicationServerKey: key }: { applicationServerKey: string }) => {
          if (!this.works) throw new Error('Registration failed - push service error')
          this.subscription ??= this.makeSubscription(key)
          return this.subscription
        },
      },
    }
    vi.stubGlobal('navigator', {
      onLine: true,
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0.0.0 Safari/537.36',
      vendor: 'Google Inc.',
      maxTouchPoints: 0,
      serviceWorker: {
        getRegistration: async () => registration,
        addEventListener: (_type: string, listener: (event: { data: unknown }) => void) =>
          this.#listeners.add(listener),
      },
      ...changes,
    })
  }

  /** The page receives a message of the service worker. */
  receive(data: unknown): void {
    for (const listener of this.#listeners) listener({ data })
  }

  /** The browser replaces the subscription by itself. */
  replaceSubscription(): void {
    this.subscription = this.makeSubscription(PUSH_KEY)
  }

  makeSubscription(key: string) {
    this.#subscriptions += 1
    const endpoint = `https://push.example.org/${String(this.#subscriptions)}`
    const bytes = atob(key.replaceAll('-', '+').replaceAll('_', '/'))
    return {
      endpoint,
      options: { applicationServerKey: Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)).buffer },
      unsubscribe: async () => {
        this.subscription = null
      },
      toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
    }
  }

  /** The server's response to a request about the subscription. */
  respond(method: string, body: unknown): Response {
    this.requests.push(method)
    const intercepted = this.intercept(method)
    if (intercepted) return intercepted
    if (method === 'DELETE') this.registered = null
    if (method === 'PUT' && typeof body === 'string') {
      const sent: unknown = JSON.parse(body)
      this.registered = isRecord(sent) ? String(sent['endpoint']) : null
    }
    if (method !== 'GET') return new Response(null, { status: 204 })
    const devices = this.otherDevices + (this.registered === null ? 0 : 1)
    return Response.json({ endpoint: this.registered, devices })
  }
}
