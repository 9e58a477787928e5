import type { Page } from '@playwright/test'
import { openWithWorker } from './fixtures/service-worker.ts'
import { expect, test } from './test.ts'

test.use({ withServiceWorker: true })
test.beforeEach(({ context }) => context.grantPermissions(['notifications']))

const MESSAGE = {
  tag: 'Q1',
  title: 'Time to pray.',
  body: '6 people are planned for today.',
  url: '/pray',
  notToday: 'https://prayers.example.org/reminders/v1/not-today?token=1.2.3',
  turnOff: 'https://prayers.example.org/reminders/v1/off?token=1.2.3',
}

/** Delivers a push message to the service worker, as a push service does. */
async function deliver(page: Page, data: string): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      for (const { registrationId, isDeleted } of registrations) if (!isDeleted) resolve(registrationId)
    })
  })
  await browser.send('ServiceWorker.enable')
  const { origin } = new URL(page.url())
  await browser.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data })
  await browser.detach()
}

/** The bundled browser has no notifications, whatever is granted: there, the service worker only keeps what it would show. */
const NOTIFICATIONS = `
  if (Notification.permission !== 'granted') {
    const shown = new Map()
    Object.assign(ServiceWorkerRegistration.prototype, {
      getNotifications: async () => [...shown.values()],
      showNotification: async (title, { body, tag, data }) => {
        shown.set(tag, { title, body, tag, data, close: () => shown.delete(tag) })
      },
    })
  }`
const SHOWN = `
  self.registration.getNotifications().then((shown) =>
    shown.map(({ title, body, tag }) => ({ title, body, tag })))`
/** What the browser does when a notification is pressed, which tests cannot do. */
const PRESS = `
  self.registration.getNotifications().then(([notification]) => {
    const event = new Event('notificationclick')
    self.dispatchEvent(Object.assign(event, { action: '', notification, waitUntil: () => {} }))
  })`

test('a push message is shown once, and pressing it opens Pray in the open window', async ({
  page,
  user,
  dashboard,
  pray,
}) => {
  await user.addCategory('Family', { name: 'Anna' })
  await openWithWorker(page, '/dashboard')
  await expect(dashboard.card('Family').row('Anna').root).toBeVisible()
  const [worker] = page.context().serviceWorkers()
  await worker?.evaluate(NOTIFICATIONS)
  const { tag, title, body } = MESSAGE
  // Sent again, it replaces the first.
  for (let times = 1; times <= 2; times += 1) {
    await deliver(page, JSON.stringify(MESSAGE))
    await expect.poll(() => worker?.evaluate(SHOWN)).toEqual([{ tag, title, body }])
  }
  await worker?.evaluate(PRESS)
  await expect(page).toHaveURL('/pray')
  await expect(pray.begin).toBeVisible()
  expect(await worker?.evaluate(SHOWN)).toEqual([])
  expect(page.context().pages()).toHaveLength(1)
})
