import { expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { reloadWithDialog } from './fixtures/closed-dialogs.ts'
import { textOnDevice } from './fixtures/text-on-device.ts'
import { expect, test } from './test.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('the dialog keeps the focus on Tab, returns it however it is closed, and leaves nothing in the history', async ({
  page,
  user,
  dashboard,
  categories,
}) => {
  await user.addCategory('Family')
  await categories.open()
  await categories.backToDashboard.click()
  const { prayerDialog } = dashboard
  const card = dashboard.card('Family')
  const expectNothingInHistory = () => expect.poll(() => page.evaluate<unknown>('history.state')).toBeNull()
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => prayerDialog.cancel.click(),
    () => prayerDialog.close.click(),
    () => page.mouse.click(5, 400),
    () => page.goBack(),
  ]) {
    await card.addPrayer.click()
    await expect(prayerDialog.name).toBeFocused()
    await close()
    await expect(prayerDialog.root).toBeHidden()
    await expect(card.addPrayer).toBeFocused()
    await expect(page).toHaveURL('/dashboard')
    await expectNothingInHistory()
  }
  expect(await user.prayers()).toEqual([])

  await card.addPrayer.click()
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('Tab')
    // Between its last and its first control, the focus is in the window of the browser.
    const inDialog = await page.evaluate(() => document.activeElement?.matches('body, dialog *'))
    expect(inDialog).toBe(true)
  }
  await prayerDialog.name.fill('Anna')
  await prayerDialog.addButton.click()
  await expect(prayerDialog.root).toBeHidden()
  await expectNothingInHistory()
  await page.goBack()
  await expect(page).toHaveURL('/manage-categories')
  await page.goForward()
  await expect(page).toHaveURL('/dashboard')
  await expect(card.rows).toHaveText([/Anna/])
})

test('the buttons stay in view above the keyboard of a phone, at 200 % zoom and with text of twice the size', async ({
  page,
  user,
  dashboard,
}) => {
  await user.addCategory('Family', { name: 'Anna', note: 'A calm exam week' })
  await dashboard.open()
  const { prayerDialog, confirmDialog } = dashboard
  const anna = dashboard.card('Family').row('Anna')
  for (const { textSize, ...viewport } of [
    { width: 375, height: 440, textSize: '100%' },
    { width: 640, height: 400, textSize: '100%' },
    { width: 375, height: 812, textSize: '200%' },
  ]) {
    await page.setViewportSize(viewport)
    await page.evaluate(`document.documentElement.style.fontSize = '${textSize}'`)
    await anna.edit.click()
    await expect(prayerDialog.name).toBeFocused()
    await expect(prayerDialog.updateButton).toBeInViewport({ ratio: 1 })
    await expect(prayerDialog.cancel).toBeInViewport({ ratio: 1 })
    await prayerDialog.resolved.focus()
    await expect(prayerDialog.resolved).toBeInViewport({ ratio: 1 })
    await expect(prayerDialog.updateButton).toBeInViewport({ ratio: 1 })
    await expectNoHorizontalScrolling(page)
    await page.keyboard.press('Escape')
    await anna.remove.click()
    await expect(confirmDialog.confirm).toBeInViewport({ ratio: 1 })
    await expect(confirmDialog.cancel).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')
  }
})

test('unsaved texts of several prayers are offered, also after a reload, until they are saved or the user signs out', async ({
  page,
  user,
  dashboard,
  navigation,
  authScreen,
}) => {
  await user.addCategory('Family', { name: 'Anna' })
  await user.addCategories('Church')
  await dashboard.open()
  const { prayerDialog } = dashboard
  const family = dashboard.card('Family')
  const church = dashboard.card('Church')
  const write = async (name: string) => {
    await prayerDialog.name.fill(name)
    await page.keyboard.press('Escape')
    await expect(prayerDialog.root).toBeHidden()
  }
  await family.addPrayer.click()
  await write('Ben')
  await church.addPrayer.click()
  await expect(prayerDialog.bringBack).toBeHidden()
  await write('Clara')
  await family.row('Anna').edit.click()
  await expect(prayerDialog.bringBack).toBeHidden()
  await write('Anna Maria')
  // Another text in the same dialog replaces nothing.
  await church.addPrayer.click()
  await write('David')

  await page.reload()
  const offers = page.getByRole('list', { name: 'Unsaved prayers' }).getByRole('listitem')
  await expect(offers).toHaveCount(4)
  for (const name of ['Ben', 'Clara', 'David'])
    await expect(offers.filter({ hasText: `New prayer: you had typed “${name}”` })).toHaveCount(1)
  await offers.filter({ hasText: 'Clara' }).getByRole('button', { name: 'Bring it back' }).click()
  await expect(prayerDialog.name).toHaveValue('Clara')
  await expect(prayerDialog.category.locator('option:checked')).toHaveText('Church')
  await prayerDialog.addButton.click()
  await expect(church.rows).toHaveText([/Clara/])
  await offers.filter({ hasText: 'Prayer for Anna' }).getByRole('button', { name: 'Bring it back' }).click()
  await prayerDialog.updateButton.click()
  await expect(family.rows).toHaveText([/Anna Maria/])
  await offers.filter({ hasText: 'Ben' }).getByRole('button', { name: 'Discard' }).click()
  await expect(offers).toHaveText([/David/])

  await church.addPrayer.click()
  await expect(prayerDialog.name).toHaveValue('')
  await prayerDialog.bringBack.click()
  await expect(prayerDialog.name).toHaveValue('David')
  await prayerDialog.details.fill('A calm exam week')
  await expect.poll(() => textOnDevice(page), 'Clara is saved').not.toContain('"kind":"insert"')
  // The browser asks for confirmation. A phone would unload the page without asking.
  page.on('dialog', (dialog) => void dialog.accept())
  await reloadWithDialog(page)
  await expect(offers).toHaveText([/David/])
  await church.addPrayer.click()
  await prayerDialog.bringBack.click()
  await expect(prayerDialog.details).toHaveValue('A calm exam week')
  await prayerDialog.addButton.click()
  await expect(church.rows).toHaveText([/David/, /Clara/])

  await church.addPrayer.click()
  await expect(prayerDialog.bringBack).toBeHidden()
  await write('Known to nobody else')
  await navigation.signOut()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  const stored = await page.evaluate(() => [
    ...Object.values<string>(sessionStorage),
    ...Object.values<string>(localStorage),
  ])
  expect(stored.join('\n')).not.toContain('Known to nobody else')
})
