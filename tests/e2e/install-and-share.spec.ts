import type { Page } from '@playwright/test'
import { expectAccessible } from './fixtures/accessibility.ts'
import { reloadWithDialog } from './fixtures/closed-dialogs.ts'
import { openWithWorker, shareText } from './fixtures/service-worker.ts'
import { expect, test } from './test.ts'

test.use({
  withServiceWorker: true,
})

/** Everything in session storage, and the texts that wait in the service worker's cache. */
const storedText = (page: Page) =>
  page.evaluate(async () => {
    const cache = await caches.open('/intercede-shared-text')
    const waiting = await Promise.all(
      (await cache.keys()).map(async (key) => (await cache.match(key))?.text()),
    )
    return JSON.stringify([sessionStorage, waiting])
  })

test(
  'shared texts are offered for a new prayer after signing in, and are in no URL; the shortcut opens an empty one',
  { tag: '@apart' },
  async ({ page, newUser, authScreen, dashboard }) => {
    const { prayerDialog } = dashboard
    const user = await newUser()
    await user.addCategories('Family', 'Friends')
    const urls: string[] = []
    page.on('request', (request) => urls.push(request.url()))
    await openWithWorker(page)
    await shareText(page, 'Pray for Ruth & her mother')
    await expect(page).toHaveURL('/')
    await shareText(page, 'Anything that a website sends')
    await authScreen.signIn(user.email, user.password)
    const offers = prayerDialog.root.getByRole('group', { name: 'Shared with you' })
    await expect(offers).toContainText(['Pray for Ruth & her mother', 'Anything that a website sends'])
    await expect(prayerDialog.details).toHaveValue('')
    await expect(page).toHaveURL('/dashboard')
    await reloadWithDialog(page)
    await expect(offers).toHaveCount(2)
    await expect(offers.first().getByRole('button', { name: 'Use it' })).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(prayerDialog.details).toHaveValue('Pray for Ruth & her mother')
    await offers.getByRole('button', { name: 'Discard' }).click()
    await expect(offers).toHaveCount(0)
    await expect(prayerDialog.name).toBeFocused()
    await prayerDialog.name.fill('Ruth')
    await prayerDialog.category.selectOption('Family')
    await prayerDialog.addButton.click()
    await expect(prayerDialog.root).toBeHidden()
    await expect(dashboard.card('Family').row('Ruth').root).toContainText('Pray for Ruth')
    expect(await storedText(page)).not.toMatch(/Pray for Ruth|website/)
    expect(urls.filter((url) => url.includes('Ruth'))).toEqual([])

    await page.goto('/dashboard?new-prayer')
    await expect(prayerDialog.name).toBeFocused()
    await expect(prayerDialog.details).toHaveValue('')
    await expect(prayerDialog.category.locator('option:checked')).toHaveText('Family')
    await expect(page).toHaveURL('/dashboard')
    await page.keyboard.press('Escape')
    await expect(prayerDialog.root).toBeHidden()
    expect(await storedText(page), 'it is not opened again').not.toContain('intercede-requested-prayer')
  },
)

test('the browser accepts the manifest and would install the app', { tag: '@apart' }, async ({ page }) => {
  await openWithWorker(page)
  const browser = await page.context().newCDPSession(page)
  const { errors, url } = await browser.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(url).toMatch(/\/manifest\.webmanifest$/)
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors')
  // The bundled browser has no window that could install anything.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
  const icons = await page.evaluate(async () => {
    const manifest: { icons: { src: string; sizes: string }[] } = await (
      await fetch('/manifest.webmanifest')
    ).json()
    return manifest.icons
  })
  for (const { src, sizes } of icons.filter((icon) => icon.sizes !== 'any')) {
    const width = await page.evaluate(async (path) => {
      const image = Object.assign(new Image(), { src: path })
      await image.decode()
      return image.naturalWidth
    }, src)
    expect(`${String(width)}x${String(width)}`, src).toBe(sizes)
  }
})
