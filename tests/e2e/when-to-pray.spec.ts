import type { Locator, Page } from '@playwright/test'
import { expectAccessible, expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { leaveClosedDialogs } from './fixtures/closed-dialogs.ts'
import { expect, test } from './test.ts'

/** The clock starts half a minute before the Monday after clocks have changed. */
const CLOCK_CHANGES = [
  { zone: 'Europe/Warsaw', start: '2025-10-26T23:59:30+01:00', monday: '2025-10-27', thursday: '2025-10-30' },
  {
    zone: 'Pacific/Auckland',
    start: '2025-09-28T23:59:30+13:00',
    monday: '2025-09-29',
    thursday: '2025-10-02',
  },
  {
    zone: 'America/New_York',
    start: '2025-03-09T23:59:30-04:00',
    monday: '2025-03-10',
    thursday: '2025-03-13',
  },
]

for (const { zone, start, monday, thursday } of CLOCK_CHANGES)
  test.describe(zone, () => {
    test.use({ timezoneId: zone })

    test('a prayer paused until Monday returns at midnight, one dated Thursday comes first on Thursday', async ({
      page,
      user,
      dashboard,
      pray,
      consoleWatch,
    }) => {
      await user.addCategory(
        'Family',
        { name: 'Anna', dueOn: thursday },
        { name: 'Ben', restingUntil: monday },
        { name: 'Clara' },
      )
      // Requests in flight time out when the clock is moved; they are repeated.
      consoleWatch.announceFailingServer()
      await page.clock.install({ time: new Date(start) })
      await dashboard.open()
      const { rows } = dashboard.card('Family')
      await expect(rows).toHaveText([/Thursday, /, /Paused until /, /^Clara$/])
      await page.clock.fastForward('01:00')
      await expect(rows.nth(1)).toHaveText(/^Ben$/)
      await expect(rows.first()).toHaveText(/Thursday, /)
      await page.clock.fastForward(2 * 24 * 60 * 60 * 1000)
      await expect(rows.first()).toHaveText(/tomorrow/)
      await page.clock.fastForward(24 * 60 * 60 * 1000)
      await expect(rows.first()).toHaveText(/today/)

      await page.getByRole('link', { name: 'Pray', exact: true }).click()
      await pray.begin.click()
      await expect(pray.name).toHaveText('Anna')
      await expect(pray.position).toHaveText('1 of 3')
    })
  })

test.describe('when to pray', () => {
  test(
    'is set in the dialog, shown in the row, and cleared in one tap each',
    { tag: '@every-width' },
    async ({ page, user, dashboard }) => {
      await user.addCategory('Family', { name: 'Anna', note: 'for peace' })
      await dashboard.open()
      const { root, updateButton } = dashboard.prayerDialog
      const row = dashboard.card('Family').row('Anna')
      await row.edit.click()
      await whenToPray(root).click()
      await root.getByLabel('On a specific date', { exact: true }).fill('2031-11-27')
      await root.getByRole('button', { name: 'Monday' }).click()
      await root.getByRole('button', { name: 'Thursday' }).click()
      await root.getByLabel('Pause until', { exact: true }).fill('2031-12-03')
      await updateButton.click()
      await expect(row.root).toContainText('Thursday, 27 November 2031')
      await expect(row.root).toContainText('Paused until 3 December 2031')
      const set = { due_on: '2031-11-27', pray_days: 9, resting_until: '2031-12-03' }
      await expect.poll(() => user.schedules()).toEqual([set])

      await leaveClosedDialogs(page)
      await row.edit.click()
      await whenToPray(root).click()
      await expect(whenToPray(root)).toHaveAccessibleName(
        'When to pray Thursday, 27 November 2031 · Mondays and Thursdays · Paused until 3 December 2031',
      )
      await whenToPray(root).click()
      await root.getByRole('button', { name: 'Clear “On a specific date”' }).click()
      await root.getByRole('button', { name: 'Clear “Days of the week”' }).click()
      await root.getByRole('button', { name: 'Clear “Pause until”' }).click()
      await updateButton.click()
      const unset = { due_on: null, pray_days: null, resting_until: null }
      await expect.poll(() => user.schedules()).toEqual([unset])
      await expect(row.root).toHaveText(/^Anna\s*for peace$/)
    },
  )

  for (const height of [812, 440])
    test(
      `can be set and cleared by touch alone, ${String(height)} px high`,
      { tag: '@small' },
      async ({ page, user, dashboard }) => {
        await page.setViewportSize({ width: 375, height })
        await user.addCategory('Family', { name: 'Anna' })
        await dashboard.open()
        const { root, updateButton } = dashboard.prayerDialog
        const row = dashboard.card('Family').row('Anna')
        const dueOn = root.getByLabel('On a specific date', { exact: true })
        const restingUntil = root.getByLabel('Pause until', { exact: true })
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
        const set = { due_on: '2031-11-27', pray_days: 9, resting_until: '2031-12-03' }
        await expect.poll(() => user.schedules()).toEqual([set])

        await leaveClosedDialogs(page)
        await row.edit.tap()
        for (const name of ['On a specific date', 'Days of the week', 'Pause until'])
          await root.getByRole('button', { name: `Clear “${name}”` }).tap()
        await updateButton.tap()
        const unset = { due_on: null, pray_days: null, resting_until: null }
        await expect.poll(() => user.schedules()).toEqual([unset])
      },
    )

  test('of a new prayer is saved with it; with the keyboard alone', async ({ page, user, dashboard }) => {
    await user.addCategory('Family')
    await dashboard.open()
    await dashboard.card('Family').addPrayer.click()
    await expect(dashboard.prayerDialog.name).toBeFocused()
    await page.keyboard.type('Anna')
    await whenToPray(dashboard.prayerDialog.root).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('11272031')
    await dashboard.prayerDialog.root.getByRole('button', { name: 'Every day' }).focus()
    await page.keyboard.press('Space')
    await dashboard.prayerDialog.root.getByLabel('On a specific date', { exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect(dashboard.prayerDialog.root).toBeHidden()
    await expect
      .poll(() => user.schedules())
      .toEqual([{ due_on: '2031-11-27', pray_days: 127, resting_until: null }])
  })

  test('is not saved with a date that is typed in part', async ({ page, user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await dashboard.open()
    await dashboard.card('Family').row('Anna').edit.click()
    const { root, updateButton, error } = dashboard.prayerDialog
    await whenToPray(root).click()
    await root.getByLabel('Pause until', { exact: true }).focus()
    await page.keyboard.type('11')
    await updateButton.click()
    await expect(error).toHaveText('Please enter a complete date')
    await expect(root.getByLabel('Pause until', { exact: true })).toBeFocused()
    await root.getByRole('button', { name: 'Clear “Pause until”' }).click()
    await updateButton.click()
    await expect(root).toBeHidden()
  })

  test('of a hidden category: the dialog offers it, marked', async ({ page, user, dashboard }) => {
    await user.hideCategory(await user.addCategory('Work', { name: 'Anna' }))
    await user.addCategory('Family')
    await page.goto('/search#q=Anna')
    await page.getByRole('main').getByRole('button', { name: /Anna/ }).click()
    const { category } = dashboard.prayerDialog
    await expect(category.getByRole('option')).toHaveText(['Select a category', 'Work (hidden)', 'Family'])
    await expect(category.locator('option:checked')).toHaveText('Work (hidden)')
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
    await addUpdate(section, 'She has applied')
    await addUpdate(section, 'She has an interview')
    await expect(section.getByRole('listitem')).toHaveText([/She has an interview/, /She has applied/])
    await expect.poll(() => user.updates()).toHaveLength(2)
    await section
      .getByRole('button', { name: /^Edit update/ })
      .last()
      .click()
    await section.getByRole('textbox').fill('She has applied twice')
    await page.keyboard.press('Control+Enter')
    await expect(section.getByRole('listitem').last()).toContainText('She has applied twice')
    await expect(section.getByRole('button', { name: /^Edit update/ }).last()).toBeFocused()

    await section
      .getByRole('button', { name: /^Delete update/ })
      .first()
      .click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('This action cannot be undone.')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(section.getByRole('listitem')).toHaveCount(2)
    await section
      .getByRole('button', { name: /^Delete update/ })
      .first()
      .click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(section.getByRole('listitem')).toHaveText([/She has applied twice/])
    await expect(section.getByRole('button', { name: /^Delete update/ })).toBeFocused()
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

  test('are saved with the prayer if they are still being written', async ({ page, user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await user.addUpdates('Anna', 'She has applied')
    await dashboard.open()
    await dashboard.card('Family').row('Anna').edit.click()
    const section = updates(page)
    await section.getByRole('button', { name: /^Edit update/ }).click()
    await section.getByRole('textbox').fill('She has applied twice')
    await section.getByRole('button', { name: 'Add an update' }).click()
    await section.getByLabel('What is new?').fill('She is home')
    await dashboard.prayerDialog.updateButton.click()
    await expect(dashboard.prayerDialog.root).toBeHidden()
    await expect
      .poll(async () => (await user.updates()).toSorted())
      .toEqual(['She has applied twice', 'She is home'])
    await expect(page.getByRole('status').filter({ hasText: 'Prayer updated' })).toHaveCount(1)
  })

  test('can be written without a connection', async ({ page, server, user, dashboard, consoleWatch }) => {
    consoleWatch.announceFailingServer()
    await user.addCategory('Family', { name: 'Anna' })
    await dashboard.open()
    const row = dashboard.card('Family').row('Anna')
    await row.edit.click()
    await expect(updates(page)).toBeVisible()
    await server.stop()
    await addUpdate(updates(page), 'She is home')
    await dashboard.prayerDialog.cancel.click()
    await expect(row.root).toContainText('Updated ')
    await server.start()
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await expect.poll(() => user.updates()).toEqual(['She is home'])
  })

  test('keep unsaved text after a reload', async ({ page, user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await user.addUpdates('Anna', 'She has applied')
    await dashboard.open()
    await dashboard.card('Family').row('Anna').edit.click()
    await updates(page).getByRole('button', { name: 'Add an update' }).click()
    await updates(page).getByRole('textbox').fill('She is home')
    await dashboard.prayerDialog.cancel.last().click()
    await leaveClosedDialogs(page)
    await page.reload()
    await expect(page.getByText('Update for Anna: you had typed “She is home”')).toBeVisible()
    await page.getByRole('button', { name: 'Bring it back' }).click()
    await expect(updates(page).getByLabel('What is new?')).toHaveValue('She is home')
    await updates(page).getByRole('button', { name: 'Add', exact: true }).click()
    await expect.poll(() => user.updates()).toHaveLength(2)
  })

  test('beyond the first five are shown on request', async ({ page, user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await user.addUpdates('Anna', ...Array.from({ length: 7 }, (_, index) => `Update ${String(index + 1)}`))
    await dashboard.open()
    await dashboard.card('Family').row('Anna').edit.click()
    const items = updates(page).getByRole('listitem')
    await expect(items).toHaveText([/Update 7/, /Update 6/, /Update 5/, /Update 4/, /Update 3/])
    await updates(page).getByRole('button', { name: 'Show all (7)' }).click()
    await expect(items).toHaveCount(7)
    await expect(items.nth(5).getByRole('button').first()).toBeFocused()
    await expect(updates(page).getByRole('status')).toHaveText('All 7 updates are shown')
  })
})

test.describe('the dialog with everything expanded', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test(
    'is accessible, and keeps its buttons in view',
    { tag: '@every-width' },
    async ({ page, user, dashboard }) => {
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
    },
  )
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
