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

/** Lets the browser subscribe without a push service, which it would have to reach. The subscription survives a reload. As above, the bundled browser grants nothing. */
async function stubSubscription(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { value: 'granted' })
    const KEY = 'test-subscription'
    const read = () => {
      const key = localStorage.getItem(KEY)
      if (key === null) return null
      const endpoint = 'https://fcm.googleapis.com/fcm/send/test'
      const bytes = atob(key.replaceAll('-', '+').replaceAll('_', '/'))
      return {
        endpoint,
        options: { applicationServerKey: Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)).buffer },
        unsubscribe: async () => localStorage.removeItem(KEY),
        toJSON: () => ({ endpoint, keys: { p256dh: `B${'a'.repeat(86)}`, auth: 'a'.repeat(22) } }),
      }
    }
    Object.assign(PushManager.prototype, {
      getSubscription: async () => read(),
      subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
        localStorage.setItem(KEY, applicationServerKey)
        return read()
      },
    })
  })
}

test('a reminder by notification turns notifications on for this device; signing out ends them', async ({
  page,
  user,
  settings,
  navigation,
  authScreen,
}) => {
  expect(await user.categoryNames()).toEqual([])
  await stubSubscription(page)
  await openWithWorker(page, '/settings/reminders')
  await page.getByRole('button', { name: 'Add a reminder' }).click()
  await page.getByLabel('Time', { exact: true }).fill('06:45')
  await page.getByRole('checkbox', { name: 'Notification' }).check()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').getByText('Reminder saved: Every day at 06:45')).toBeVisible()
  const device = page.getByRole('region', { name: 'Notifications on this device' })
  await expect(device).toContainText('This device shows your reminders.')
  await settings.open('reminders')
  await expect(device).toContainText('This device shows your reminders.')
  await expect(settings.section('Times')).toContainText('In the time zone Europe/London')
  await page.getByRole('button', { name: 'Turn off 06:45' }).click()
  await expect(page.getByRole('button', { name: 'Turn on 06:45' })).toBeVisible()
  await navigation.signOut()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('test-subscription'))).toBeNull()
})

test(
  'a link for a reminder that does not exist says so',
  { tag: '@apart' },
  async ({ page, consoleWatch }) => {
    consoleWatch.announce(/^status 404: \/reminders\/v1\/off/, /^console\.error: Failed to load resource/)
    await page.goto('/turn-off-reminder#4ad26a42-1c3c-4c7e-8a57-6c2e3c1b0a11.2026-11-03.c2ln')
    await expect(page.getByText('This reminder no longer exists.')).toBeVisible()
    await expect(page).toHaveURL('/turn-off-reminder')
  },
)
