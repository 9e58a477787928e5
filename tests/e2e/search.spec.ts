import { expectAccessible, expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { leaveClosedDialogs } from './fixtures/closed-dialogs.ts'
import type { User } from './fixtures/user.ts'
import { expect, test } from './test.ts'

/** Open, answered, and in a hidden category. */
async function addPrayers(user: User): Promise<void> {
  await user.addCategory(
    'Family',
    { name: 'Anna', note: 'First line\nPeace before the operation' },
    { name: 'José Ángel', note: 'A flat near the school' },
    { name: 'Clara', note: 'For her sister Anna', resolved: true },
  )
  await user.hideCategory(await user.addCategory('Work', { name: 'Annika 100% 🙏' }))
}

test(
  'finds open, answered and hidden prayers while the user is typing',
  { tag: '@every-width' },
  async ({ page, user, search }) => {
    await addPrayers(user)
    await search.goto()
    await expect(page).toHaveTitle(/^Search · /)
    await expect(search.field).toBeFocused()
    await expect(page.getByText('Find a prayer by any words')).toBeVisible()

    await page.keyboard.type('ann')
    await expect(search.open.results).toHaveText([
      /Annika.*Work.*Hidden category/,
      /Anna.*Family.*First line/,
    ])
    await expect(search.answered.results).toHaveText([/Clara.*Family.*For her sister Anna/])
    await expect(search.matches).toHaveText(['Ann', 'Ann', 'Ann'])
    await expect(page.getByRole('status').getByText('3 prayers found')).toBeAttached()

    await user.addUpdates('Anna', 'Moved to Kraków')
    await page.reload()
    await search.field.fill('anna krakow')
    await expect(search.open.results).toHaveText([/Anna.*Update, .*Moved to Kraków/])

    await search.field.fill('ope anna')
    await expect(search.open.results).toHaveText([/Anna.*Peace before the operation/])
    await expect(search.answered.root).toHaveCount(0)
    await search.field.fill('jose angel')
    await expect(search.matches).toHaveText(['José', 'Ángel'])
    await search.field.fill('%')
    await expect(search.open.results).toHaveText([/Annika 100%/])
    await search.field.fill('Nebuchadnezzar')
    await expect(page.getByRole('main')).toContainText('Nothing matches “Nebuchadnezzar”')
  },
)

test('the query in the URL survives signing in', async ({ page, newUser, authScreen, search }) => {
  const user = await newUser()
  await addPrayers(user)
  await search.goto('anna 100%')
  await authScreen.signIn(user.email, user.password)
  await expect(search.field).toHaveValue('anna 100%')
  await expect(page).toHaveURL('/search#q=anna+100%25')
})

test('the query is in the fragment of the URL, which is never sent to the server', async ({
  page,
  user,
  search,
}) => {
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url(), request.postData() ?? ''))
  await addPrayers(user)
  await search.goto()
  await search.field.fill('sister & 100% + #q=')
  await expect(page).toHaveURL(/#q=sister/)
  await page.reload()
  await expect(search.field).toHaveValue('sister & 100% + #q=')
  await search.field.fill('sister')
  await expect(page).toHaveURL('/search#q=sister')

  await test.step('and is restored by "back" and "forward"', async () => {
    await page.getByRole('link', { name: 'Privacy' }).click()
    await page.goBack()
    await expect(search.answered.results).toHaveText([/Clara/])
    await page.goto('/search#q=peace')
    await expect(search.open.results).toHaveText([/Anna/])
    await page.goBack()
    await expect(search.answered.results).toHaveText([/Clara/])
  })
  // Navigations are reported with their fragment, although it is not sent.
  const sent = requested.filter((text) => !text.startsWith(new URL('/search#', page.url()).href))
  expect(sent.filter((text) => text.includes('sister'))).toEqual([])
  expect(sent.length).toBeGreaterThan(0)
})

test('a query that looks like a link from an email changes nothing', async ({ page, user, search }) => {
  await addPrayers(user)
  await search.goto('access_token=1&type=recovery&error=anna')
  await expect(search.field).toHaveValue('access_token=1&type=recovery&error=anna')
  await search.field.fill('anna')
  await expect(page).toHaveURL('/search#q=anna')
  await page.reload()
  await expect(search.open.results).toHaveCount(1)
})

test('a prayer is found, opened and changed with the keyboard alone', async ({ page, user, search }) => {
  await addPrayers(user)
  await search.goto()
  await expect(search.field).toBeFocused()
  await page.keyboard.type('an')
  await expect(search.open.results).toHaveCount(3)

  await test.step('Enter opens the first result, and the focus returns to the field', async () => {
    await page.keyboard.press('Enter')
    await expect(search.prayerDialog.name).toHaveValue(/^Annika/)
    await expect(search.prayerDialog.category).toHaveValue(/./)
    await page.keyboard.press('Escape')
    await expect(search.prayerDialog.root).toBeHidden()
    await expect(search.field).toBeFocused()
    await expect(search.field).toHaveValue('an')
    await expect(page).toHaveURL('/search#q=an')
  })
  await test.step('arrow keys move between the field and the results of both groups', async () => {
    for (const name of [/^Annika/, /^Anna$/, /^José/])
      await pressUntilFocused('ArrowDown', search.open.result(name))
    await pressUntilFocused('ArrowDown', search.answered.result('Clara'))
    await page.keyboard.press('ArrowDown')
    await expect(search.answered.result('Clara')).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await expect(search.open.result(/^Anna$/)).toBeFocused()
  })
  await test.step('a change is saved, and the focus returns to the result', async () => {
    await page.keyboard.press('Enter')
    await expect(search.prayerDialog.name).toBeFocused()
    await search.prayerDialog.resolved.check()
    await search.prayerDialog.updateButton.press('Enter')
    await expect(search.prayerDialog.root).toBeHidden()
    await expect(search.answered.results).toHaveText([/Anna/, /Clara/])
    await expect(search.answered.result('Anna')).toBeFocused()
    await expect.poll(async () => (await user.prayers()).filter(({ resolved }) => resolved)).toHaveLength(2)
  })
  await test.step('"/" and Esc return to the field, then Esc clears it', async () => {
    await page.keyboard.press('/')
    await expect(search.field).toBeFocused()
    await expect(search.field).toHaveValue('an')
    await pressUntilFocused('ArrowDown', search.open.result(/^Annika/))
    await page.keyboard.press('Escape')
    await expect(search.field).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(search.field).toHaveValue('')
    await expect(page).toHaveURL('/search')
  })

  async function pressUntilFocused(key: string, target: ReturnType<typeof search.open.result>) {
    await page.keyboard.press(key)
    await expect(target).toBeFocused()
  }
})

test('a prayer is found and opened by touch', { tag: '@small' }, async ({ page, user, search }) => {
  await addPrayers(user)
  await search.goto()
  await search.field.fill('peace')
  // The key of the keyboard on the screen: it hides the keyboard.
  await page.keyboard.press('Enter')
  await expect(search.field).not.toBeFocused()
  await search.open.results.first().tap()
  await expect(search.prayerDialog.name).toHaveValue('Anna')
  await search.prayerDialog.cancel.tap()
  await expect(search.prayerDialog.root).toBeHidden()
  await search.clear.tap()
  await expect(search.field).toHaveValue('')
  await expect(search.field).toBeFocused()
})

test('shows the first 25 results of each group, and all of them on request', async ({
  page,
  user,
  search,
}) => {
  const prayers = Array.from({ length: 120 }, (_, index) => ({
    name: `Anna ${String(index + 1)}`,
    resolved: index % 2 === 1,
  }))
  await user.addCategory('Family', ...prayers)
  await search.goto('anna')
  await expect(search.open.results).toHaveCount(25)
  await expect(search.answered.results).toHaveCount(25)
  await expect(search.open.showAll).toHaveText('Show all (60)')
  await search.open.showAll.click()
  await expect(search.open.results).toHaveCount(60)
  await expect(search.open.results.nth(25).getByRole('button')).toBeFocused()
  await expect(search.answered.results).toHaveCount(25)
  // Another query begins again.
  await search.field.fill('ann')
  await expect(search.open.results).toHaveCount(25)
  await expect(page.getByRole('status').getByText('120 prayers found')).toBeAttached()
})

test('works without a connection', async ({ page, server, user, dashboard, search, consoleWatch }) => {
  consoleWatch.announceFailingServer()
  await addPrayers(user)
  await search.goto()
  await expect(search.field).toBeFocused()
  await search.field.fill('anna')
  await expect(search.open.results).toHaveCount(1)
  await server.stop()
  await search.open.result('Anna').click()
  await search.prayerDialog.details.fill('Home since Friday')
  await search.prayerDialog.updateButton.click()
  await expect(search.prayerDialog.root).toBeHidden()
  await search.field.fill('friday')
  await expect(search.open.results).toHaveText([/Anna.*Home since Friday/])
  await server.start()
  await leaveClosedDialogs(page)
  await dashboard.open()
  await expect(dashboard.card('Family').row('Anna').root).toContainText('Home since Friday')
  await expect
    .poll(() => user.prayers())
    .toContainEqual({ person_name: 'Anna', note: 'Home since Friday', resolved: false })
})

test('says that there is nothing to search yet', async ({ page, user, search, dashboard }) => {
  await user.addCategories('Family')
  await search.goto()
  await expect(page.getByText('No prayers yet')).toBeVisible()
  await page.getByRole('link', { name: 'Go to your prayers' }).click()
  await expect(dashboard.title).toBeVisible()
})

test('is only for signed-in users', async ({ page, search, authScreen }) => {
  await search.goto('anna')
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await expect(page).toHaveURL('/')
})

test('the names are printed too', async ({ page, user, search }) => {
  await user.addCategory('Family', { name: 'Anna' })
  await search.goto('anna')
  await page.emulateMedia({ media: 'print' })
  await expect(search.open.results.getByText('Anna')).toBeVisible()
})

test.describe('is accessible', () => {
  // Colour contrast is not measured during a transition.
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('with and without results', { tag: '@every-width' }, async ({ page, user, search }) => {
    await addPrayers(user)
    await search.goto()
    await expect(page.getByText('Find a prayer by any words')).toBeVisible()
    await expectAccessible(page)
    await search.field.fill('an')
    await expect(search.open.results).toHaveCount(3)
    await expectAccessible(page)
    await search.field.fill('nobody')
    await expect(page.getByText('Nothing matches')).toBeVisible()
    await expectAccessible(page)
  })

  test('at 320 px', async ({ page, user, search }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await user.addCategory('W'.repeat(80), { name: 'A'.repeat(200), note: 'a'.repeat(5000) })
    await search.goto('a')
    await expect(search.open.results).toHaveCount(1)
    await expectNoHorizontalScrolling(page)
  })
})
