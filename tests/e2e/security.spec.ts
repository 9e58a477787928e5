import { expect, test as base } from './test.ts'

/** Each calls `hacked()` if it is interpreted as HTML, a URL or a template. */
const SCRIPTS = [
  '<script>hacked()</script>',
  '<img src=x onerror=hacked()>',
  '"><svg onload=hacked()>',
  "' autofocus onfocus='hacked()",
  '<iframe srcdoc="<script>parent.hacked()</script>"></iframe>',
  '<a href="javascript:hacked()">x</a>',
  'javascript:hacked()',
  '{{constructor.constructor("hacked()")()}}',
  '${hacked()}',
  '<!--<script>hacked()</script>-->',
  '<style>@import "//evil.example"</style>',
  '<math><mtext></p><svg><style><img src onerror=hacked()>',
]

const test = base.extend<{ hacked: () => Promise<string[]> }>({
  /** Scripts that ran, and violations of the content security policy. */
  hacked: async ({ page }, use) => {
    const found: string[] = []
    await page.exposeFunction('hacked', () => found.push('a script ran'))
    await page.exposeFunction('reportViolation', (violation: string) => found.push(violation))
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
        const report: unknown = Reflect.get(window, 'reportViolation')
        if (typeof report === 'function')
          Reflect.apply(report, window, [`${violatedDirective} blocked ${blockedURI}`])
      })
    })
    page.on('dialog', (dialog) => {
      found.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    await use(async () => {
      // Waits until pending scripts have run.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
      return found
    })
  },
})

test('user input is shown as text and never executed', async ({ user, dashboard, categories, hacked }) => {
  const ids = await user.addCategories(...SCRIPTS)
  for (const [index, id] of ids.entries()) {
    await user.addPrayers(id, { name: SCRIPTS[index] ?? '', note: SCRIPTS.join('\n') })
  }
  await dashboard.open()
  for (const script of SCRIPTS) {
    await expect(dashboard.page.getByRole('heading', { name: script, exact: true }).first()).toBeVisible()
  }
  const first = SCRIPTS[1] ?? ''
  const row = dashboard.card(first).row(first)
  await row.edit.click()
  await expect(dashboard.prayerDialog.name).toHaveValue(first)
  await dashboard.prayerDialog.cancel.click()
  await row.remove.click()
  await dashboard.confirmDialog.cancel.click()
  await categories.open()
  for (const script of SCRIPTS) await expect(categories.row(script).root).toBeVisible()
  await categories.row(first).hide.click()
  expect(await hacked()).toEqual([])
})

test('a link with the session of an attacker does not sign in', async ({
  page,
  newUser,
  authScreen,
  consoleWatch,
}) => {
  consoleWatch.announce(/^console\.error/)
  const { sessionInLink } = await newUser()
  for (const link of ['/#', '/auth/callback#', '/dashboard#', '/?', '/?type=signup&']) {
    await page.goto(link + sessionInLink)
    // The link has been read, and not only the page shown that is there before the app has started.
    await expect(page.getByRole('heading', { level: 1 }), link).toHaveText(/^(?!Completing sign in)/)
    await expect(page).not.toHaveURL(/access_token/)
    // Links are read when the page is loaded.
    await page.goto('about:blank')
    await authScreen.open()
    await expect(authScreen.heading('Welcome back'), link).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('supabase-auth')), link).toBeNull()
    await page.goto('about:blank')
  }
})

test('the content security policy blocks scripts, styles, frames and requests of other hosts', async ({
  page,
  authScreen,
  consoleWatch,
}) => {
  consoleWatch.announce(/Content Security Policy/, /^foreign host: https:\/\/evil\.example/)
  await authScreen.open()
  const violations = new Set<string>()
  await page.exposeFunction('reportViolation', (directive: string) => violations.add(directive))
  await page.evaluate(async () => {
    addEventListener('securitypolicyviolation', ({ violatedDirective }) => {
      const report: unknown = Reflect.get(window, 'reportViolation')
      if (typeof report === 'function') Reflect.apply(report, window, [violatedDirective])
    })
    const add = (tag: string, fill: (element: Element) => void) => {
      const element = document.createElement(tag)
      fill(element)
      document.body.append(element)
    }
    add('script', (script) => (script.textContent = 'window.ran = true'))
    add('script', (script) => script.setAttribute('src', 'https://evil.example/x.js'))
    add('img', (image) => image.setAttribute('src', 'https://evil.example/x.png'))
    add('link', (link) => {
      link.setAttribute('rel', 'stylesheet')
      link.setAttribute('href', 'https://evil.example/x.css')
    })
    add('style', (style) => (style.textContent = 'body { color: red }'))
    add('iframe', (frame) => frame.setAttribute('src', 'https://evil.example/'))
    add('object', (object) => object.setAttribute('data', 'https://evil.example/x'))
    await fetch('https://evil.example/').catch(() => null)
  })
  const expected = ['connect-src', 'frame-src', 'img-src', 'object-src', 'script-src-elem', 'style-src-elem']
  await expect.poll(() => [...violations].toSorted()).toEqual(expected)
  expect(await page.evaluate(() => Reflect.has(window, 'ran'))).toBe(false)
})
