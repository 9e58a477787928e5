import { beforeLists } from '#tests/e2e/fixtures/before-lists.ts'
import type { Cast } from './cast.ts'
import type { Scene, Stage } from './scene.ts'

/** Every state of Manage Categories and its dialogs. */
export function categoryScenes({ newcomer, typical, full, longest }: Cast): readonly Scene[] {
  return [
    { name: 'categories-empty', person: newcomer, play: openEmpty },
    { name: 'categories-typical', person: typical, play: openRows },
    { name: 'categories-full', person: full, play: openRows },
    { name: 'categories-longest', person: longest, play: openRows },
    { name: 'categories-loading', person: typical, play: openSlowly },
    { name: 'categories-fetch-failed', person: typical, play: openWithoutServer },
    { name: 'categories-banner', windowOnly: true, person: typical, play: failToHide },
    { name: 'category-add', windowOnly: true, person: typical, play: addCategory },
    { name: 'category-add-without-name', windowOnly: true, person: typical, play: addWithoutName },
    { name: 'category-add-failed', windowOnly: true, person: typical, play: failToAdd },
    { name: 'category-rename', person: typical, play: rename },
    { name: 'category-rename-longest', person: longest, play: rename },
    { name: 'category-delete', windowOnly: true, person: typical, play: deleteCategory },
    { name: 'category-lifted', person: typical, widths: [1280], play: lift },
    { name: 'reorder-mode', windowOnly: true, person: typical, widths: [375], play: reorder },
    { name: 'reorder-mode-longest', windowOnly: true, person: longest, widths: [375], play: reorder },
  ]
}

async function openRows({ categories }: Stage): Promise<void> {
  await categories.open()
  await categories.rows.first().waitFor()
}

async function openEmpty({ categories }: Stage): Promise<void> {
  await categories.open()
  await categories.empty.waitFor()
}

async function openSlowly({ page, server, categories }: Stage): Promise<void> {
  await beforeLists(page, () => server.pause())
  await categories.open()
  await page.getByText('Loading categories...').first().waitFor()
}

async function openWithoutServer({ page, server, categories }: Stage): Promise<void> {
  await beforeLists(page, () => server.stop())
  await categories.open()
  await categories.banner.first().waitFor()
}

async function failToHide(stage: Stage): Promise<void> {
  await openRows(stage)
  await stage.server.stop()
  await stage.page.getByTitle('Hide category').first().click()
  await stage.categories.banner.waitFor()
}

async function addCategory(stage: Stage): Promise<void> {
  await openRows(stage)
  await stage.categories.addCategory.click()
  await stage.categories.dialog.root.waitFor()
}

async function addWithoutName(stage: Stage): Promise<void> {
  await addCategory(stage)
  await stage.categories.dialog.addButton.click()
  await stage.categories.dialog.error.waitFor()
}

async function failToAdd(stage: Stage): Promise<void> {
  await addCategory(stage)
  await stage.categories.dialog.name.fill('Choir')
  await stage.server.stop()
  await stage.categories.dialog.addButton.click()
  await stage.categories.dialog.error.waitFor()
}

async function rename(stage: Stage): Promise<void> {
  await openRows(stage)
  await stage.page.getByTitle('Edit category').first().click()
  await stage.categories.nameInput.waitFor()
}

async function deleteCategory(stage: Stage): Promise<void> {
  await openRows(stage)
  await stage.page.getByTitle('Delete category').first().click()
  await stage.categories.confirmDialog.root.waitFor()
}

async function lift(stage: Stage): Promise<void> {
  await openRows(stage)
  await stage.categories.lift('Friends')
  await stage.categories.move('ArrowDown', '3 of 5')
}

async function reorder(stage: Stage): Promise<void> {
  await openRows(stage)
  await stage.categories.reorder.tap()
  await stage.categories.done.waitFor()
}
