import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'
import { createReminderService } from './send-due.ts'

/** Users may add a reminder meanwhile, and another server may have ended while it was sending one. */
const LONGEST_SLEEP = 60_000
/** What is due and was not taken is being sent by another server, or changed by its user. */
const SHORTEST_SLEEP = 1000

/** Milliseconds to sleep when something is due `next`; null: nothing is known to be. */
export function sleepUntil(next: Date | null, now: Date): number {
  const pause = next === null ? LONGEST_SLEEP : next.getTime() - now.getTime()
  return Math.min(LONGEST_SLEEP, Math.max(SHORTEST_SLEEP, pause))
}

/** Sends reminders when they are due, from when the server listens until it closes. */
export function scheduleReminders(app: FastifyInstance, services: Services): void {
  const reminders = createReminderService(services)
  const stopping = new AbortController()
  const { signal } = stopping

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const next = await reminders.sendDue(signal).catch((err: unknown) => {
        services.logger.warn({ err }, 'reminders could not be sent')
        return null
      })
      const sleep = sleepUntil(next, services.clock.now())
      await delay(sleep, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  let running: Promise<void> = Promise.resolve()
  app.addHook('onListen', async () => {
    running = run()
  })
  app.addHook('onClose', async () => {
    stopping.abort()
    await running
    reminders.close()
  })
}
