import { expectAccessible, expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
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
  'finds open, answered and hidden prayers while the user is typing, and is accessible in every state',
  { tag: '@small' },
  async ({ page, user, dashboard, search }) => {
    await search.goto()
    await expect(page.getByText('No prayers yet')).toBeVisible()
    await page.getByRole('link', { name: 'Go to your prayers' }).click()
    await expect(dashboard.title).toBeVisible()

    await addPrayers(user)
    await search.goto()
    await expect(page).toHaveTitle(/^Search · /)
    await expect(search.field).toBeFocused()
    await expect(page.getByText('Find a prayer by any words')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.type('ann')
    await expect(search.open.results).toHaveText([
      /Anna.*Family.*First line/,
      /Annika.*Work.*Hidden category/,
    ])
    await expect(search.answered.results).toHaveText([/Clara.*Family.*For her sister Anna/])
    await expect(search.matches).toHaveText(['Ann', 'Ann', 'Ann'])
    await expect(page.getByRole('status').getByText('3 prayers found')).toBeAttached()
    await expectAccessible(page)

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
    await page.emulateMedia({ media: 'print' })
    await expect(search.open.results.getByText('Annika')).toBeVisible()
    await page.emulateMedia({ media: 'screen' })
    await search.field.fill('Nebuchadnezzar')
    await expect(page.getByRole('main')).toContainText('Nothing matches “Nebuchadnezzar”')
    await expectAccessible(page)
  },
)

test('a prayer is found, opened and changed with the keyboard alone', async ({
  page,
  user,
  search,
  prayer,
}) => {
  await addPrayers(user)
  await search.goto()
  await expect(search.field).toBeFocused()
  await page.keyboard.type('an')
  await expect(search.open.results).toHaveCount(3)

  await test.step('Enter opens the first result', async () => {
    await page.keyboard.press('Enter')
    await expect(prayer.title).toHaveText('Anna')
    await page.goBack()
    await expect(search.open.result(/^Anna$/)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(search.field).toBeFocused()
    await expect(search.field).toHaveValue('an')
  })
  await test.step('arrow keys move between the field and the results of both groups', async () => {
    for (const name of [/^Anna$/, /^José/, /^Annika/])
      await pressUntilFocused('ArrowDown', search.open.result(name))
    await pressUntilFocused('ArrowDown', search.answered.result('Clara'))
    await page.keyboard.press('ArrowDown')
    await expect(search.answered.result('Clara')).toBeFocused()
    for (let pressed = 0; pressed < 3; pressed += 1) await page.keyboard.press('ArrowUp')
    await expect(search.open.result(/^Anna$/)).toBeFocused()
  })
  await test.step('a change is saved, and the focus returns to the result', async () => {
    await page.keyboard.press('Enter')
    await expect(prayer.title).toBeFocused()
    await prayer.answered.press('Enter')
    await expect(prayer.reopen).toBeFocused()
    await prayer.back.press('Enter')
    await expect(search.answered.results).toHaveText([/Anna/, /Clara/])
    await expect(search.answered.result('Anna')).toBeFocused()
    await expect.poll(async () => (await user.prayers()).filter(({ resolved }) => resolved)).toHaveLength(2)
  })
  await test.step('"/" and Esc return to the field, then Esc clears it', async () => {
    await page.keyboard.press('/')
    await expect(search.field).toBeFocused()
    await expect(search.field).toHaveValue('an')
    await pressUntilFocused('ArrowDown', search.open.result(/^José/))
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

test(
  'a prayer is found and opened by touch, at 320 px',
  { tag: '@small' },
  async ({ page, user, search, prayer }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await addPrayers(user)
    await user.addCategory('W'.repeat(80), { name: 'A'.repeat(200), note: 'a'.repeat(5000) })
    await search.goto()
    await search.field.fill('peace')
    // The key of the keyboard on the screen: it hides the keyboard.
    await page.keyboard.press('Enter')
    await expect(search.field).not.toBeFocused()
    await search.open.results.first().tap()
    await expect(prayer.title).toHaveText('Anna')
    await prayer.back.tap()
    await search.clear.tap()
    await expect(search.field).toHaveValue('')
    await expect(search.field).toBeFocused()
    await search.field.fill('aaaa')
    await expect(search.open.results).toHaveCount(1)
    await expectNoHorizontalScrolling(page)
  },
)
