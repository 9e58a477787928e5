import type { Locator, Page } from '@playwright/test'
import { expectAccessible, expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { leaveClosedDialogs } from './fixtures/closed-dialogs.ts'
import { expect, test } from './test.ts'

test.describe('in a time zone whose clocks have just changed', () => {
  test.use({ timezoneId: 'Pacific/Auckland' })

  test('a prayer paused until Monday returns at midnight, one dated Thursday comes first on Thursday', async ({
    page,
    user,
    dashboard,
    pray,
    consoleWatch,
  }) => {
    await user.addCategory(
      'Family',
      { name: 'Anna', dueOn: '2025-10-02' },
      { name: 'Ben', restingUntil: '2025-09-29' },
      { name: 'Clara' },
    )
    // Requests in flight time out when the clock is moved; they are repeated.
    consoleWatch.announceFailingServer()
    // An hour before midnight: the page may take long to load.
    await page.clock.install({ time: new Date('2025-09-28T23:00:00+13:00') })
    await dashboard.open()
    const { rows } = dashboard.card('Family')
    await expect(rows).toHaveText([/Thursday, /, /Paused until /, /^Clara$/])
    await page.clock.fastForward('01:00:00')
    await expect(rows.nth(1)).toHaveText(/^Ben$/)
    await expect(rows.first()).toHaveText(/Thursday, /)
    await page.clock.fastForward('48:00:00')
    await expect(rows.first()).toHaveText(/tomorrow/)
    await page.clock.fastForward('24:00:00')
    await expect(rows.first()).toHaveText(/today/)

    await page.getByRole('link', { name: 'Pray', exact: true }).click()
    await pray.begin.click()
    await expect(pray.name).toHaveText('Anna')
    await expect(pray.position).toHaveText('1 of 3')
  })
})

test.describe('when to pray', () => {
  test(
    'is set in the dialog, shown in the row, and cleared in one tap each, by touch alone at any height',
    { tag: '@small' },
    async ({ page, user, dashboard }) => {
      await user.addCategory('Family', { name: 'Anna', note: 'for peace' })
      await dashboard.open()
      const { root, updateButton } = dashboard.prayerDialog
      const row = dashboard.card('Family').row('Anna')
      const dueOn = root.getByLabel('On a specific date', { exact: true })
      const restingUntil = root.getByLabel('Pause until', { exact: true })
      for (const height of [812, 440]) {
        await page.setViewportSize({ width: 375, height })
        await row.edit.tap()
        await whenToPray(root).tap()
        await chooseDate(dueOn, '2031-11-27')
        await root.getByRole('button', { name: 'Every day' }).tap()
        for (const day of ['Tuesday', 'Wednesday', 'Friday', 'Saturday', 'Sunday'])
          await root.getByRole('button', { name: day }).tap()
        await chooseDate(restingUntil, '2031-12-03')
        for (const control of await root.getByRole('button').or(dueOn).or(restingUntil).all()) {
          await control.scrollIntoViewIfNeeded()
          await expect(control).toBeInViewport({ ratio: 1 })
          const box = await control.boundingBox()
          expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
        }
        await expectNoHorizontalScrolling(page)
        await updateButton.tap()
        await expect(row.root).toContainText('Thursday, 27 November 2031')
        await expect(row.root).toContainText('Paused until 3 December 2031')
        const set = { due_on: '2031-11-27', pray_days: 9, resting_until: '2031-12-03' }
        await expect.poll(() => user.schedules()).toEqual([set])

        await leaveClosedDialogs(page)
        await row.edit.tap()
        for (const name of ['On a specific date', 'Days of the week', 'Pause until'])
          await root.getByRole('button', { name: `Clear “${name}”` }).tap()
        await updateButton.tap()
        await expect(row.root).toHaveText(/^Anna\s*for peace$/)
        const unset = { due_on: null, pray_days: null, resting_until: null }
        await expect.poll(() => user.schedules()).toEqual([unset])
        await leaveClosedDialogs(page)
      }
    },
  )

  test('of a new prayer is saved with it, with the keyboard alone, but not with a date that is typed in part', async ({
    page,
    user,
    dashboard,
  }) => {
    await user.addCategory('Family')
    await dashboard.open()
    await dashboard.card('Family').addPrayer.click()
    const { root, name, error } = dashboard.prayerDialog
    const restingUntil = root.getByLabel('Pause until', { exact: true })
    await expect(name).toBeFocused()
    await page.keyboard.type('Anna')
    await whenToPray(root).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    // Some languages write the month before the day, others after it.
    await page.keyboard.type('11112031')
    await root.getByRole('button', { name: 'Every day' }).press('Space')
    await restingUntil.focus()
    await page.keyboard.type('11')
    await page.keyboard.press('Enter')
    await expect(error).toHaveText('Please enter a complete date')
    await expect(restingUntil).toBeFocused()
    await root.getByRole('button', { name: 'Clear “Pause until”' }).press('Enter')
    await expect(error).toHaveCount(0)
    await root.getByLabel('On a specific date', { exact: true }).press('Enter')
    await expect(root).toBeHidden()
    await expect
      .poll(() => user.schedules())
      .toEqual([{ due_on: '2031-11-11', pray_days: 127, resting_until: null }])
  })
})

test.describe('updates', () => {
  test('are added, changed and deleted, each at once, and arrive on a second device', async ({
    page,
    browser,
    baseURL,
    user,
    dashboard,
  }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await dashboard.open()
    const row = dashboard.card('Family').row('Anna')
    await row.edit.click()
    const section = updates(page)
    const items = section.getByRole('listitem')
    const editButtons = section.getByRole('button', { name: /^Edit update/ })
    const deleteButtons = section.getByRole('button', { name: /^Delete update/ })
    await addUpdate(section, 'She has applied')
    await addUpdate(section, 'She has an interview')
    await expect(items).toHaveText([/She has an interview/, /She has applied/])
    await expect.poll(() => user.updates()).toHaveLength(2)
    await editButtons.last().click()
    await section.getByRole('textbox').fill('She has applied twice')
    await page.keyboard.press('Control+Enter')
    await expect(items.last()).toContainText('She has applied twice')
    await expect(editButtons.last()).toBeFocused()

    const question = page.getByRole('alertdialog')
    await deleteButtons.first().click()
    await expect(question).toContainText('This action cannot be undone.')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(items).toHaveCount(2)
    await deleteButtons.first().click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(items).toHaveText([/She has applied twice/])
    await expect(deleteButtons).toBeFocused()
    await expect.poll(() => user.updates()).toEqual(['She has applied twice'])
    await dashboard.prayerDialog.cancel.click()
    await expect(row.root).toContainText('Updated ')

    const other = await browser.newContext({ baseURL: baseURL ?? '' })
    await user.signInOn(other)
    const phone = await other.newPage()
    await phone.goto('/dashboard')
    await expect(phone.getByText(/^Updated /)).toBeVisible()
    await phone.getByTitle('Edit prayer').click()
    await expect(updates(phone).getByRole('listitem')).toHaveText([/She has applied twice/])
    await other.close()
  })

  test('beyond the first five are shown on request; those still being written are saved with the prayer, or kept after a reload', async ({
    page,
    user,
    dashboard,
  }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await user.addUpdates('Anna', ...Array.from({ length: 7 }, (_, index) => `Update ${String(index + 1)}`))
    await dashboard.open()
    const { edit } = dashboard.card('Family').row('Anna')
    await edit.click()
    const section = updates(page)
    const items = section.getByRole('listitem')
    const newUpdate = section.getByLabel('What is new?')
    await expect(items).toHaveText([/Update 7/, /Update 6/, /Update 5/, /Update 4/, /Update 3/])
    await section.getByRole('button', { name: 'Show all (7)' }).click()
    await expect(items).toHaveCount(7)
    await expect(items.nth(5).getByRole('button').first()).toBeFocused()
    await expect(section.getByRole('status')).toHaveText('All 7 updates are shown')

    await section
      .getByRole('button', { name: /^Edit update/ })
      .last()
      .click()
    await section.getByRole('textbox').fill('Update 0')
    await section.getByRole('button', { name: 'Add an update' }).click()
    await newUpdate.fill('Update 8')
    await dashboard.prayerDialog.updateButton.click()
    await expect(dashboard.prayerDialog.root).toBeHidden()
    await expect
      .poll(async () => (await user.updates()).toSorted())
      .toEqual([0, 2, 3, 4, 5, 6, 7, 8].map((number) => `Update ${String(number)}`))
    await expect(page.getByRole('status').filter({ hasText: 'Prayer updated' })).toHaveCount(1)

    await edit.click()
    await section.getByRole('button', { name: 'Add an update' }).click()
    await newUpdate.fill('She is home')
    await dashboard.prayerDialog.cancel.last().click()
    await page.reload()
    await expect(page.getByText('Update for Anna: you had typed “She is home”')).toBeVisible()
    await page.getByRole('button', { name: 'Bring it back' }).click()
    await expect(newUpdate).toHaveValue('She is home')
    await section.getByRole('button', { name: 'Add', exact: true }).click()
    await expect.poll(() => user.updates()).toContain('She is home')
  })
})

test.describe('the dialog with everything expanded', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('is accessible at any width, and keeps its buttons in view', async ({ page, user, dashboard }) => {
    await user.addCategory('Family', {
      name: 'Anna',
      note: 'Peace',
      dueOn: '2031-11-27',
      prayDays: 9,
      restingUntil: '2031-12-03',
    })
    await user.addUpdates('Anna', ...Array.from({ length: 7 }, (_, index) => `Update ${String(index + 1)}`))
    await dashboard.open()
    await expect(dashboard.rows.filter({ hasText: 'Updated ' })).toBeVisible()
    await expectAccessible(page)
    await dashboard.card('Family').row('Anna').edit.click()
    const section = updates(page)
    await section.getByRole('button', { name: 'Show all (7)' }).click()
    await section
      .getByRole('button', { name: /^Edit update/ })
      .first()
      .click()
    await section.getByRole('button', { name: 'Add an update' }).click()
    await expectAccessible(page)
    await page.setViewportSize({ width: 375, height: 440 })
    await expect(dashboard.prayerDialog.updateButton).toBeInViewport({ ratio: 1 })
    await expectNoHorizontalScrolling(page)
    await expectAccessible(page)
  })
})

function whenToPray(dialog: Locator): Locator {
  return dialog.getByRole('button', { name: /^When to pray/ })
}

async function chooseDate(field: Locator, day: string): Promise<void> {
  await field.tap()
  await expect(field).toBeFocused()
  await field.fill(day)
}

function updates(page: Page): Locator {
  return page.getByRole('dialog').getByRole('region', { name: 'Updates' })
}

async function addUpdate(section: Locator, text: string): Promise<void> {
  await section.getByRole('button', { name: 'Add an update' }).click()
  await expect(section.getByRole('textbox')).toBeFocused()
  await section.getByRole('textbox').fill(text)
  await section.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(section.getByRole('button', { name: 'Add an update' })).toBeFocused()
  await expect(section.getByRole('status')).toHaveText('Update added')
}
