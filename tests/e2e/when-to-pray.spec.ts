import type { Locator } from '@playwright/test'
import { expectAccessible, expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { leaveClosedDialogs } from './fixtures/closed-dialogs.ts'
import { expect, test } from './test.ts'

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
        await root.getByRole('button', { name: 'Every year' }).tap()
        const weekdays = root.getByRole('group', { name: 'Days of the week' })
        await weekdays.getByRole('button', { name: 'Every day' }).tap()
        for (const day of ['Tuesday', 'Wednesday', 'Friday', 'Saturday', 'Sunday'])
          await weekdays.getByRole('button', { name: day }).tap()
        await chooseDate(restingUntil, '2031-12-03')
        for (const control of await root.getByRole('button').or(dueOn).or(restingUntil).all()) {
          await control.scrollIntoViewIfNeeded()
          await expect(control).toBeInViewport({ ratio: 1 })
          const box = await control.boundingBox()
          expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
        }
        await expectNoHorizontalScrolling(page)
        await updateButton.tap()
        await expect(row.root).toContainText('Due Thursday, 27 November 2031, every year')
        await expect(row.root).toContainText('Mondays and Thursdays')
        await expect(row.root).toContainText('Paused until 3 December 2031')
        const date = { due_on: '2031-11-27', due_repeats: 'yearly' }
        await expect
          .poll(() => user.schedules())
          .toEqual([{ ...date, pray_days: 9, resting_until: '2031-12-03' }])

        await leaveClosedDialogs(page)
        await row.edit.tap()
        for (const name of ['On a specific date', 'Days of the week', 'Pause until'])
          await root.getByRole('button', { name: `Clear “${name}”` }).tap()
        await updateButton.tap()
        await expect(row.root).toHaveText(/^Anna\s*for peace$/)
        const unset = { due_on: null, due_repeats: null, pray_days: null, resting_until: null }
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
    await root.getByLabel('On a specific date', { exact: true }).focus()
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
      .toEqual([{ due_on: '2031-11-11', due_repeats: null, pray_days: 127, resting_until: null }])
  })
})

test.describe('the dialog with everything expanded', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('is accessible at any width, and keeps its buttons in view', async ({ page, user, dashboard }) => {
    await user.addCategory('Family', {
      name: 'Anna',
      note: 'Peace',
      dueOn: '2031-11-27',
      dueRepeats: 'monthly',
      prayDays: 9,
      restingUntil: '2031-12-03',
    })
    await user.addUpdates('Anna', 'She has applied')
    await dashboard.open()
    await expect(dashboard.rows.filter({ hasText: 'Updated ' })).toBeVisible()
    await expectAccessible(page)
    await dashboard.card('Family').row('Anna').edit.click()
    await expectAccessible(page)
    await page.setViewportSize({ width: 375, height: 440 })
    await expect(dashboard.prayerDialog.updateButton).toBeInViewport({ ratio: 1 })
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
