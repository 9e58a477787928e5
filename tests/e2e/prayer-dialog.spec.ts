import { leaveClosedDialogs } from './fixtures/closed-dialogs.ts'
import { expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { expect, test } from './test.ts'

test.describe('adding a prayer', () => {
  test('takes a name and Enter: the category is that of the card, and the focus is in Name', async ({
    page,
    user,
    dashboard,
  }) => {
    await user.addCategories('Family', 'Church')
    await dashboard.open()
    const { prayerDialog } = dashboard
    await dashboard.card('Church').addPrayer.click()
    await expect(prayerDialog.root).toHaveAccessibleName('Add New Prayer')
    await expect(prayerDialog.root).toContainText('Create a new prayer request')
    await expect(prayerDialog.category.locator('option:checked')).toHaveText('Church')
    await expect(prayerDialog.name).toBeFocused()
    await page.keyboard.type('Anna')
    await page.keyboard.press('Enter')
    await expect(prayerDialog.root).toBeHidden()
    await expect(dashboard.card('Church').rows).toHaveText([/Anna/])
    await expect(dashboard.card('Church').addPrayer).toBeFocused()
    await expect(dashboard.announcement.filter({ hasText: /added/i }).first()).toBeAttached()
    await expect.poll(() => user.prayers()).toEqual([{ person_name: 'Anna', note: null, resolved: false }])
  })

  test('has all fields but the checkbox', async ({ user, dashboard }) => {
    await user.addCategory('Family')
    await dashboard.open()
    const { prayerDialog } = dashboard
    await dashboard.card('Family').addPrayer.click()
    await expect(prayerDialog.name).toHaveAttribute('placeholder', "Enter person's name")
    await expect(prayerDialog.details).toHaveAttribute('rows', '4')
    await expect(prayerDialog.category.getByRole('option', { name: 'Select a category' })).toBeAttached()
    await expect(prayerDialog.resolved).toHaveCount(0)
    await expect(prayerDialog.cancel).toBeVisible()
    await expect(prayerDialog.addButton).toBeVisible()
  })

  test('offers only visible categories, in their order', async ({ user, dashboard }) => {
    await user.addCategories('Zacchaeus', 'Family')
    await user.hideCategory(await user.addCategory('Hidden'))
    await user.addCategories('Church')
    await dashboard.open()
    await dashboard.card('Family').addPrayer.click()
    await expect(dashboard.prayerDialog.category.getByRole('option')).toHaveText([
      'Select a category',
      'Zacchaeus',
      'Family',
      'Church',
    ])
  })

  test('requires a name that is not blank', async ({ user, dashboard }) => {
    await user.addCategory('Family')
    await dashboard.open()
    const { prayerDialog } = dashboard
    await dashboard.card('Family').addPrayer.click()
    await prayerDialog.name.fill('   ')
    await prayerDialog.addButton.click()
    await expect(prayerDialog.error).toHaveText('Please enter a name')
    await expect(prayerDialog.name).toBeFocused()
    expect(await user.prayers()).toEqual([])
    await prayerDialog.name.fill('  Anna ')
    await prayerDialog.addButton.click()
    await expect(prayerDialog.root).toBeHidden()
    await expect
      .poll(async () => (await user.prayers()).map((prayer) => prayer.person_name))
      .toEqual(['Anna'])
  })

  test('requires a category', async ({ user, dashboard }) => {
    await user.addCategory('Family')
    await dashboard.open()
    const { prayerDialog } = dashboard
    await dashboard.card('Family').addPrayer.click()
    await prayerDialog.name.fill('Anna')
    await prayerDialog.category.selectOption({ label: 'Select a category' })
    await prayerDialog.addButton.click()
    await expect(prayerDialog.error).toHaveText('Please select a category')
    await expect(prayerDialog.category).toBeFocused()
    expect(await user.prayers()).toEqual([])
  })

  test('is saved by Ctrl+Enter in the note, where Enter starts a new line', async ({
    page,
    user,
    dashboard,
  }) => {
    await user.addCategory('Family')
    await dashboard.open()
    const { prayerDialog } = dashboard
    await dashboard.card('Family').addPrayer.click()
    await prayerDialog.name.fill('Anna')
    await prayerDialog.details.click()
    await page.keyboard.type('Courage')
    await page.keyboard.press('Enter')
    await page.keyboard.type('and rest')
    await page.keyboard.press('Control+Enter')
    await expect(prayerDialog.root).toBeHidden()
    await expect
      .poll(async () => (await user.prayers()).map((prayer) => prayer.note))
      .toEqual(['Courage\nand rest'])
  })

  test('a double click adds one prayer', async ({ server, user, dashboard }) => {
    await user.addCategory('Family')
    await dashboard.open()
    const { prayerDialog } = dashboard
    await dashboard.card('Family').addPrayer.click()
    await prayerDialog.name.fill('Anna')
    server.pause()
    await prayerDialog.addButton.dblclick()
    await expect(prayerDialog.root).toBeHidden()
    await expect(dashboard.card('Family').rows).toHaveText([/Anna/])
    server.resume()
    await expect.poll(() => user.prayers()).toHaveLength(1)
  })

  for (const way of ['Esc', 'Cancel', 'the close icon', 'the backdrop', 'Back'] as const) {
    test(`${way} closes the dialog and returns the focus`, async ({ page, user, dashboard }) => {
      await user.addCategory('Family')
      await dashboard.open()
      const { prayerDialog } = dashboard
      await dashboard.card('Family').addPrayer.click()
      await expect(prayerDialog.root).toBeVisible()
      if (way === 'Esc') await page.keyboard.press('Escape')
      else if (way === 'Cancel') await prayerDialog.cancel.click()
      else if (way === 'the close icon') await prayerDialog.close.click()
      else if (way === 'Back') await page.goBack()
      else await page.mouse.click(5, 400)
      await expect(prayerDialog.root).toBeHidden()
      await expect(dashboard.card('Family').addPrayer).toBeFocused()
      await expect(page).toHaveURL('/dashboard')
      expect(await user.prayers()).toEqual([])
    })
  }

  test('a dialog that was saved leaves nothing in the history', async ({
    page,
    user,
    dashboard,
    categories,
  }) => {
    await user.addCategory('Family')
    await categories.open()
    await categories.backToDashboard.click()
    await dashboard.addPrayer('Family', 'Anna')
    await expect(dashboard.prayerDialog.root).toBeHidden()
    await expect.poll(() => page.evaluate<unknown>('history.state')).toBeNull()
    await page.goBack()
    await expect(page).toHaveURL('/manage-categories')
    await page.goForward()
    await expect(page).toHaveURL('/dashboard')
    await expect(dashboard.card('Family').rows).toHaveText([/Anna/])
  })

  for (const [description, viewport, textSize] of [
    ['above the keyboard of a phone', { width: 375, height: 440 }, '100%'],
    ['at 200 % zoom', { width: 640, height: 400 }, '100%'],
    ['with text of twice the size', { width: 375, height: 812 }, '200%'],
  ] as const) {
    test(`keeps its buttons in view ${description}`, async ({ page, user, dashboard }) => {
      await page.setViewportSize(viewport)
      await user.addCategory('Family', { name: 'Anna', note: 'A calm exam week' })
      await dashboard.open()
      await page.evaluate(`document.documentElement.style.fontSize = '${textSize}'`)
      const { prayerDialog, confirmDialog } = dashboard
      await dashboard.card('Family').row('Anna').edit.click()
      await expect(prayerDialog.name).toBeFocused()
      await expect(prayerDialog.updateButton).toBeInViewport({ ratio: 1 })
      await expect(prayerDialog.cancel).toBeInViewport({ ratio: 1 })
      await prayerDialog.resolved.focus()
      await expect(prayerDialog.resolved).toBeInViewport({ ratio: 1 })
      await expect(prayerDialog.updateButton).toBeInViewport({ ratio: 1 })
      await expectNoHorizontalScrolling(page)
      await page.keyboard.press('Escape')
      await dashboard.card('Family').row('Anna').remove.click()
      await expect(confirmDialog.confirm).toBeInViewport({ ratio: 1 })
      await expect(confirmDialog.cancel).toBeInViewport({ ratio: 1 })
    })
  }

  test('offers unsaved text when the dialog is opened again', async ({ page, user, dashboard }) => {
    await user.addCategory('Family')
    await dashboard.open()
    const { prayerDialog } = dashboard
    await dashboard.card('Family').addPrayer.click()
    await prayerDialog.name.fill('Anna')
    await prayerDialog.details.fill('A calm exam week')
    await page.keyboard.press('Escape')
    await dashboard.card('Family').addPrayer.click()
    await expect(prayerDialog.name).toHaveValue('')
    await prayerDialog.bringBack.click()
    await expect(prayerDialog.name).toHaveValue('Anna')
    await expect(prayerDialog.details).toHaveValue('A calm exam week')
  })

  test('keeps the texts of several prayers apart', async ({ page, user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await user.addCategories('Church')
    await dashboard.open()
    const { prayerDialog } = dashboard
    const write = async (name: string) => {
      await prayerDialog.name.fill(name)
      await page.keyboard.press('Escape')
      await expect(prayerDialog.root).toBeHidden()
    }
    await dashboard.card('Family').addPrayer.click()
    await write('Ben')
    await dashboard.card('Church').addPrayer.click()
    await expect(prayerDialog.bringBack).toBeHidden()
    await write('Clara')
    await dashboard.card('Family').row('Anna').edit.click()
    await expect(prayerDialog.bringBack).toBeHidden()
    await write('Anna Maria')
    // Another text in the same dialog replaces nothing.
    await dashboard.card('Church').addPrayer.click()
    await write('David')

    await leaveClosedDialogs(page)
    await page.reload()
    const offers = page.getByRole('list', { name: 'Unsaved prayers' }).getByRole('listitem')
    await expect(offers).toHaveCount(4)
    for (const name of ['Ben', 'Clara', 'David'])
      await expect(offers.filter({ hasText: `New prayer: you had typed “${name}”` })).toHaveCount(1)
    await offers.filter({ hasText: 'Clara' }).getByRole('button', { name: 'Bring it back' }).click()
    await expect(prayerDialog.name).toHaveValue('Clara')
    await expect(prayerDialog.category.locator('option:checked')).toHaveText('Church')
    await prayerDialog.addButton.click()
    await expect(dashboard.card('Church').rows).toHaveText([/Clara/])
    await offers.filter({ hasText: 'Prayer for Anna' }).getByRole('button', { name: 'Bring it back' }).click()
    await prayerDialog.updateButton.click()
    await expect(dashboard.card('Family').rows).toHaveText([/Anna Maria/])
    await offers.filter({ hasText: 'Ben' }).getByRole('button', { name: 'Discard' }).click()
    await expect(offers).toHaveText([/David/])
    await page.reload()
    await expect(offers).toHaveText([/David/])
    await dashboard.card('Church').addPrayer.click()
    await prayerDialog.bringBack.click()
    await expect(prayerDialog.name).toHaveValue('David')
  })

  test('keeps unsaved text after a reload, until it is saved', async ({ page, user, dashboard }) => {
    await user.addCategory('Family')
    await dashboard.open()
    const { prayerDialog } = dashboard
    const card = dashboard.card('Family')
    await card.addPrayer.click()
    await prayerDialog.name.fill('Anna')
    await prayerDialog.details.fill('A calm exam week')
    // The browser asks for confirmation. A phone would unload the page without asking.
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await card.addPrayer.click()
    await prayerDialog.bringBack.click()
    await expect(prayerDialog.details).toHaveValue('A calm exam week')
    await prayerDialog.addButton.click()
    await expect(card.rows).toHaveText([/Anna/])
    await card.addPrayer.click()
    await expect(prayerDialog.name).toHaveValue('')
    await expect(prayerDialog.bringBack).toBeHidden()
  })

  test('deletes unsaved text when the user signs out', async ({
    page,
    user,
    dashboard,
    navigation,
    authScreen,
  }) => {
    await user.addCategory('Family')
    await dashboard.open()
    await dashboard.card('Family').addPrayer.click()
    await dashboard.prayerDialog.name.fill('Anna')
    await page.keyboard.press('Escape')
    await navigation.signOut()
    await expect(authScreen.heading('Welcome back')).toBeVisible()
    const stored = await page.evaluate(() => [
      ...Object.values<string>(sessionStorage),
      ...Object.values<string>(localStorage),
    ])
    expect(stored.join('\n')).not.toContain('Anna')
  })

  test('keeps the focus in the dialog on Tab', async ({ page, user, dashboard }) => {
    await user.addCategory('Family')
    await dashboard.open()
    await dashboard.card('Family').addPrayer.click()
    await expect(dashboard.prayerDialog.name).toBeFocused()
    for (let press = 0; press < 12; press += 1) {
      await page.keyboard.press('Tab')
      const outside = await page.evaluate(() => {
        const focused = document.activeElement
        return focused !== null && focused !== document.body && focused.closest('dialog') === null
      })
      expect(outside).toBe(false)
    }
  })

  test('shows when a name has reached its maximum length', async ({ user, dashboard }) => {
    await user.addCategory('Family')
    await dashboard.open()
    const { prayerDialog } = dashboard
    await dashboard.card('Family').addPrayer.click()
    await expect(prayerDialog.name).toHaveAttribute('maxlength', '200')
    await expect(prayerDialog.details).toHaveAttribute('maxlength', '10000')
    await prayerDialog.name.fill('n'.repeat(200))
    await expect(prayerDialog.root).toContainText(/200/)
  })
})

test.describe('editing a prayer', () => {
  test('starts with the saved fields, and saves name, note and category', async ({ user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna', note: 'A calm exam week' })
    await user.addCategories('Church')
    await dashboard.open()
    const { prayerDialog } = dashboard
    await dashboard.card('Family').row('Anna').edit.click()
    await expect(prayerDialog.root).toHaveAccessibleName('Edit Prayer')
    await expect(prayerDialog.root).toContainText('Update your prayer request details')
    await expect(prayerDialog.name).toHaveValue('Anna')
    await expect(prayerDialog.details).toHaveValue('A calm exam week')
    await expect(prayerDialog.resolved).not.toBeChecked()
    await prayerDialog.name.fill('Anna Maria')
    await prayerDialog.details.fill('')
    await prayerDialog.category.selectOption('Church')
    await prayerDialog.updateButton.click()
    await expect(prayerDialog.root).toBeHidden()
    await expect(dashboard.card('Church').rows).toHaveText([/Anna Maria/])
    await expect(dashboard.card('Family').rows).toHaveCount(0)
    await expect
      .poll(async () => (await user.prayers()).map(({ person_name, note }) => [person_name, note ?? '']))
      .toEqual([['Anna Maria', '']])
  })

  test('marks it as resolved by the checkbox', async ({ user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' })
    await dashboard.open()
    const card = dashboard.card('Family')
    await card.row('Anna').edit.click()
    await dashboard.prayerDialog.resolved.check()
    await dashboard.prayerDialog.updateButton.click()
    await expect(card.rows).toHaveText([/Ben/])
    await expect(card.showResolved).toHaveText(/Show Resolved \(1\)/)
  })

  test('returns the focus to the button that opened the dialog', async ({ page, user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await dashboard.open()
    const row = dashboard.card('Family').row('Anna')
    await row.edit.click()
    await expect(dashboard.prayerDialog.name).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(row.edit).toBeFocused()
    await row.edit.click()
    await dashboard.prayerDialog.name.fill('Anna Maria')
    await dashboard.prayerDialog.name.press('Enter')
    await expect(dashboard.card('Family').row('Anna Maria').edit).toBeFocused()
  })

  test('requires a name', async ({ user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await dashboard.open()
    const { prayerDialog } = dashboard
    await dashboard.card('Family').row('Anna').edit.click()
    await prayerDialog.name.fill('')
    await prayerDialog.updateButton.click()
    await expect(prayerDialog.error).toHaveText('Please enter a name')
    expect((await user.prayers()).map((prayer) => prayer.person_name)).toEqual(['Anna'])
  })
})
