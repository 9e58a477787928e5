import { leaveClosedDialogs } from './fixtures/closed-dialogs.ts'
import { expect, test } from './test.ts'

/** Some browsers store nothing, for example in private windows. A change is then made once the server has saved it. */
test.beforeEach(async ({ page, consoleWatch }) => {
  consoleWatch.announceFailingServer()
  await page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }))
})

test('when the server stops, changes of prayers are undone, and made once it is back', async ({
  page,
  server,
  user,
  dashboard,
}) => {
  await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' })
  await dashboard.open()
  const { banner, confirmDialog, dismiss, prayerDialog } = dashboard
  const card = dashboard.card('Family')

  await test.step('adding: the dialog stays open with what was typed', async () => {
    await card.addPrayer.click()
    await prayerDialog.name.fill('Clara')
    await prayerDialog.details.fill('A calm exam week')
    await server.stop()
    await prayerDialog.addButton.click()
    await expect(prayerDialog.error).toContainText('Failed to add prayer')
    await expect(prayerDialog.name).toHaveValue('Clara')
    await expect(prayerDialog.details).toHaveValue('A calm exam week')
    await expect(card.rows).toHaveText([/Anna/, /Ben/])
    await server.start()
    await prayerDialog.addButton.click()
    await expect(prayerDialog.root).toBeHidden()
    await expect(card.rows).toHaveText([/Clara/, /Anna/, /Ben/])
    await expect(banner).toHaveCount(0)
    await leaveClosedDialogs(page)
  })
  await test.step('resolving, deleting and editing', async () => {
    await server.stop()
    await card.row('Anna').resolve.click()
    await expect(banner).toContainText('Failed to update prayer')
    await expect(card.row('Anna').resolve).toBeVisible()
    await expect(card.showResolved).toBeHidden()
    await expect(dashboard.undo).toBeHidden()
    await dismiss.click()
    await expect(banner).toHaveCount(0)
    await card.row('Ben').remove.click()
    await confirmDialog.confirm.click()
    await expect(banner).toContainText('Failed to delete prayer')
    await expect(card.rows).toHaveText([/Clara/, /Anna/, /Ben/])
    await card.row('Clara').edit.click()
    await prayerDialog.name.fill('Clara Maria')
    await prayerDialog.updateButton.click()
    await expect(prayerDialog.error).toContainText('Failed to update prayer')
    await expect(prayerDialog.name).toHaveValue('Clara Maria')
  })
  await server.start()
  await prayerDialog.updateButton.click()
  await expect(prayerDialog.root).toBeHidden()
  await card.row('Ben').remove.click()
  await confirmDialog.confirm.click()
  await expect(card.rows).toHaveText([/Clara Maria/, /Anna/])
  await card.row('Anna').resolve.click()
  await expect(card.showResolved).toBeVisible()
  await expect
    .poll(() => user.prayers())
    .toEqual([
      { person_name: 'Clara Maria', note: 'A calm exam week', resolved: false },
      { person_name: 'Anna', note: null, resolved: true },
    ])
})

test('when the server stops, a session stays at the prayer, with the error in view, and counts it once it is saved', async ({
  page,
  server,
  user,
  dashboard,
  pray,
}) => {
  await user.addCategory('Family', { name: 'Ben' }, { name: 'Anna', note: 'Peace.\n'.repeat(100) })
  await pray.open()
  await pray.begin.click()
  await expect(pray.name).toHaveText('Anna')
  await server.stop()
  await page.mouse.wheel(0, 1500)
  await page.keyboard.press('Space')
  await expect(dashboard.banner).toContainText('Failed to mark prayers as prayed')
  await expect(dashboard.banner).toBeInViewport({ ratio: 1 })
  await page.mouse.wheel(0, 10_000)
  await expect
    .poll(async () => {
      const [note, banner] = await Promise.all([
        page.getByRole('article').boundingBox(),
        dashboard.banner.boundingBox(),
      ])
      return note && banner && note.y + note.height <= banner.y
    }, 'it covers no part of the note')
    .toBe(true)
  await expect(pray.name).toHaveText('Anna')
  await pray.answered.click()
  await expect(dashboard.banner).toContainText('Failed to update prayer')
  await expect(pray.undo).toBeHidden()
  await expect(pray.name).toHaveText('Anna')
  await expect(page.getByRole('article')).not.toContainText('Answered')
  await server.start()
  await pray.prayed.click()
  await expect(pray.name).toHaveText('Ben')
  await expect(dashboard.banner).toHaveCount(0)
  await pray.skip.click()
  await expect(page.getByText('You prayed for 1 person.')).toBeVisible()
  expect((await user.prayedDays()).map(({ times }) => times)).toEqual([0, 1])
})
