import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { RUTH } from '#tests/support/x-provider.ts'
import { expect, test as base } from './test-with-x.ts'

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

test.describe('user input is shown as text and never executed', () => {
  test.afterEach(({ x }) => {
    x.behaviour = { user: RUTH }
  })

  test('in categories, prayers and notes', async ({ user, dashboard, categories, hacked }) => {
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

  test('in the profile from X and in the user metadata', async ({
    page,
    x,
    authScreen,
    dashboard,
    navigation,
    consoleWatch,
    hacked,
  }) => {
    consoleWatch.announce(new RegExp(`^foreign host: ${x.url}/i/oauth2/`))
    const name = SCRIPTS.slice(0, 6).join(' ')
    // Not Ruth, whose name other tests on this server expect.
    const id = 'hostile'
    x.behaviour = {
      user: {
        id,
        name,
        username: name,
        confirmed_email: `${id}@example.org`,
        profile_image_url: 'javascript:hacked()',
      },
    }
    await authScreen.open()
    await authScreen.signInWithX.click()
    await expect(navigation.menuButton).toContainText(name)
    await navigation.menuButton.click()
    await expect(navigation.twitterBadge).toBeVisible()

    const longName = SCRIPTS.join(' ')
    await page.evaluate(async (text) => {
      const session: object = JSON.parse(localStorage.getItem('supabase-auth') ?? '{}')
      const { anonKey }: { anonKey: string } = JSON.parse(
        document.querySelector<HTMLMetaElement>('meta[name=intercede-config]')?.content ?? '{}',
      )
      const avatar = 'javascript:hacked()'
      const response = await fetch('/auth/v1/user', {
        method: 'PUT',
        headers: {
          apikey: anonKey,
          authorization: `Bearer ${String(Reflect.get(session, 'access_token'))}`,
        },
        body: JSON.stringify({ data: { full_name: text, name: text, avatar_url: avatar, picture: avatar } }),
      })
      const user: unknown = await response.json()
      localStorage.setItem('supabase-auth', JSON.stringify({ ...session, user }))
    }, longName)
    await page.keyboard.press('Escape')
    await dashboard.open()
    await expect(navigation.menuButton).toContainText(longName)
    await navigation.menuButton.click()
    await expect(navigation.twitterBadge).toBeVisible()
    expect(await hacked()).toEqual([])
  })

  test('in an error in the URL', async ({ page, consoleWatch, hacked }) => {
    consoleWatch.announce(/^console\.error/)
    const description = encodeURIComponent(SCRIPTS.join(' '))
    for (const path of ['/', '/auth/callback', '/reset-password']) {
      await page.goto(`${path}?error=x&error_description=${description}`)
      await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
    }
    expect(await hacked()).toEqual([])
  })
})

test.describe('a link with the session of an attacker', () => {
  test('does not sign in', async ({ page, newUser, authScreen, consoleWatch }) => {
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

  test('does not replace the signed-in user', async ({ page, user, newUser, dashboard, navigation }) => {
    const { sessionInLink } = await newUser()
    for (const type of ['', '&type=signup', '&type=magiclink']) {
      await page.goto(`/#${sessionInLink}${type}`)
      await expect(dashboard.title, type).toBeVisible()
      await navigation.menuButton.click()
      await expect(page.getByText(user.email), type).toBeVisible()
      await expect(page).not.toHaveURL(/access_token/)
      await page.keyboard.press('Escape')
      await page.goto('about:blank')
    }
  })
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

test('other sites cannot embed the app in a frame', async ({ page, server, consoleWatch }) => {
  const site = await startSite(
    `<iframe src="${server.url}/"></iframe><iframe src="${server.url}/auth/v1/health"></iframe>`,
  )
  consoleWatch.announce(/^foreign host: /, /^console\.error/, /^status 401: /)
  try {
    await page.goto(site.url)
    await expect.poll(() => page.frames().length).toBe(3)
    for (const frame of page.frames().slice(1)) {
      await expect.poll(() => frame.url()).toMatch(/^chrome-error:/)
      expect(await frame.locator('form').count()).toBe(0)
    }
  } finally {
    await site.close()
  }
})

/** Another site, on loopback. */
async function startSite(html: string): Promise<{ url: string; close(): Promise<void> }> {
  const server: Server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the site has no port')
  return {
    url: `http://127.0.0.1:${String(address.port)}/`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
