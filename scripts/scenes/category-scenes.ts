import type { SampleUsers } from './sample-users.ts'
import type { Scene, SceneContext } from './scene.ts'

/** The states of Manage Categories and its dialogs. */
export function categoryScenes({
  newcomer,
  typical,
  many,
  longest,
  rightToLeft,
}: SampleUsers): readonly Scene[] {
  return [
    { name: 'categories-empty', user: newcomer, run: openEmpty },
    { name: 'categories-typical', user: typical, run: openRows },
    { name: 'categories-many', user: many, run: openRows },
    { name: 'categories-longest', user: longest, run: openRows },
    { name: 'categories-right-to-left', user: rightToLeft, run: openRows },
    { name: 'categories-loading', user: typical, run: showLoading },
    { name: 'category-add', windowOnly: true, user: typical, run: addCategory },
    { name: 'category-add-without-name', windowOnly: true, user: typical, run: addWithoutName },
    { name: 'category-rename', user: typical, run: editName },
    { name: 'category-rename-longest', user: longest, run: editName },
    { name: 'category-move', windowOnly: true, user: typical, run: offerMove },
    { name: 'category-delete', windowOnly: true, user: typical, run: openDeleteDialog },
    { name: 'category-lifted', user: typical, widths: [1280], run: lift },
    { name: 'reorder-mode', windowOnly: true, user: typical, widths: [375], run: enterReorderMode },
  ]
}

async function openRows({ categories }: SceneContext): Promise<void> {
  await categories.open()
  await categories.rows.first().waitFor()
}

async function openEmpty({ categories }: SceneContext): Promise<void> {
  await categories.open()
  await categories.empty.waitFor()
}

async function showLoading({ page, categories }: SceneContext): Promise<void> {
  await page.route('**/rest/v1/**', () => new Promise(() => undefined))
  await categories.open()
  await page.getByText('Loading categories...').first().waitFor()
}

async function addCategory(context: SceneContext): Promise<void> {
  await openRows(context)
  await context.categories.addCategory.click()
  await context.categories.dialog.root.waitFor()
}

async function addWithoutName(context: SceneContext): Promise<void> {
  await addCategory(context)
  await context.categories.dialog.addButton.click()
  await context.categories.dialog.error.waitFor()
}

async function editName(context: SceneContext): Promise<void> {
  await openRows(context)
  await context.page.getByTitle('Edit category').first().click()
  await context.categories.nameInput.waitFor()
}

async function openDeleteDialog(context: SceneContext): Promise<void> {
  await openRows(context)
  await context.page.getByTitle('Delete category').first().click()
  await context.categories.confirmDialog.root.waitFor()
}

async function lift(context: SceneContext): Promise<void> {
  await openRows(context)
  await context.categories.lift('Friends')
  await context.categories.move('ArrowDown', '3 of 5')
}

async function enterReorderMode(context: SceneContext): Promise<void> {
  await openRows(context)
  await context.categories.reorder.tap()
  await context.categories.done.waitFor()
}

async function offerMove(context: SceneContext): Promise<void> {
  await openRows(context)
  await context.categories.row('Family').cannotRemove.click({ force: true })
  await context.categories.moveDialog.waitFor()
}
