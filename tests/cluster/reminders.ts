import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { type DataServer, send } from '#tests/support/data-requests.ts'
import type { TestPushService } from '#tests/support/push-service.ts'
import { until } from './cluster.ts'

const MINUTE = 60_000
/** As many as an account may have. */
const REMINDERS_PER_USER = 3

/** Seconds: a server that sends one has lost its database. Another one takes over when the lease of three minutes has ended. */
const LATEST = 360

const Payload = v.object({ tag: v.string(), turnOff: v.string() })

/** Reminders of many users, which become due one after another, and the messages that arrived. */
export class Reminders {
  readonly #site: DataServer
  readonly #push: TestPushService
  readonly #ids: string[] = []

  constructor(site: DataServer, push: TestPushService) {
    this.#site = site
    this.#push = push
  }

  get count(): number {
    return this.#ids.length
  }

  /** Messages beyond one for each reminder. They replace the one before, on the user's screen. */
  get repeated(): number {
    return this.#push.messages.length - this.#ids.length
  }

  /** A user with a browser, and reminders from the minute after the next one on, at one minute of so many each. */
  async add(token: string, minutes: number): Promise<void> {
    const body = this.#push.subscribe()
    const response = await fetch(`${this.#site.url}/reminders/v1/subscription`, {
      method: 'PUT',
      headers: {
        apikey: this.#site.services.keys.anonKey,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`The subscription was rejected with ${String(response.status)}.`)
    for (let number = 0; number < REMINDERS_PER_USER; number += 1) {
      const id = randomUUID()
      const due = new Date(Date.now() + (2 + (this.#ids.length % minutes)) * MINUTE)
      const reminder = {
        id,
        remind_at: due.toISOString().slice(11, 16),
        weekdays: 127,
        time_zone: 'UTC',
        by_push: true,
      }
      const { status, text } = await send(this.#site, '/reminders', { method: 'POST', token, body: reminder })
      if (status !== 201) throw new Error(`The reminder was rejected with ${String(status)} ${text}`)
      this.#ids.push(id)
    }
  }

  /** Waits until each has arrived. Throws if one was seen twice: under different tags, or for different days. */
  async check(): Promise<void> {
    let seen = this.#seen()
    await until(
      'all reminders have arrived',
      async () => {
        seen = this.#seen()
        return this.#ids.every((id) => seen.has(id))
      },
      LATEST,
    )
    const doubled = [...seen.values()].filter((tags) => tags.size > 1).length
    if (doubled > 0) throw new Error(`${String(doubled)} reminders were seen more than once.`)
  }

  /** The tags of each reminder's messages. */
  #seen(): Map<string, Set<string>> {
    const seen = new Map<string, Set<string>>()
    for (const { payload, topic } of this.#push.messages) {
      const { tag, turnOff } = v.parse(Payload, JSON.parse(payload))
      const [id = ''] = turnOff.split('token=')[1]?.split('.') ?? []
      seen.set(id, (seen.get(id) ?? new Set()).add(`${topic} ${tag}`))
    }
    return seen
  }
}
