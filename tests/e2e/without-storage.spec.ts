import { leaveClosedDialogs } from './fixtures/closed-dialogs.ts'
import { expect, test } from './test.ts'

const NOTE = `${'Peace.\n'.repeat(100)}A calm exam week`

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
  pray,
}) => {
  await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' })
  await dashboard.open()
  const { banner, confirmDialog, dismiss, prayerDialog } = dashboard
  const card = dashboard.card('Family')

  await test.step('adding: the dialog stays open with what was typed', async () => {
    await card.addPrayer.click()
    await prayerDialog.name.fill('Clara')
    await prayerDialog.details.fill(NOTE)
    await server.stop()
    await prayerDialog.addButton.click()
    await expect(prayerDialog.error).toContainText('Failed to add prayer')
    await expect(prayerDialog.name).toHaveValue('Clara')
    await expect(prayerDialog.details).toHaveValue(NOTE)
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
      { person_name: 'Clara Maria', note: NOTE, resolved: false },
      { person_name: 'Anna', note: null, resolved: true },
    ])
  await test.step('praying: the error is in view, and covers no part of the note', async () => {
    await pray.open()
    await pray.begin.click()
    await expect(pray.name).toHaveText('Clara Maria')
    await server.stop()
    await page.mouse.wheel(0, 1500)
    await page.keyboard.press('Space')
    await expect(banner).toContainText('Failed to mark prayers as prayed')
    await expect(banner).toBeInViewport({ ratio: 1 })
    await page.mouse.wheel(0, 10_000)
    await expect
      .poll(async () => {
        const [note, error] = [await page.getByRole('article').boundingBox(), await banner.boundingBox()]
        return note && error && note.y + note.height <= error.y
      })
      .toBe(true)
  })
})
