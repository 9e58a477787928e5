import type { Locator, Page } from '@playwright/test'
import { ConfirmDialog } from './confirm-dialog.ts'

export class CategoriesScreen {
  readonly page: Page
  readonly title: Locator
  readonly backToDashboard: Locator
  readonly addCategory: Locator
  readonly list: Locator
  readonly rows: Locator
  /** The headings of the rows. */
  readonly names: Locator
  readonly empty: Locator
  /** Leads to the dialog for the first prayer. */
  readonly firstPrayer: Locator
  readonly tips: Locator
  readonly nameInput: Locator
  readonly saveName: Locator
  readonly banner: Locator
  readonly reorder: Locator
  readonly done: Locator
  readonly reorderBar: Locator
  readonly dismiss: Locator
  readonly retry: Locator
  readonly announcement: Locator
  readonly dialog: AddCategoryDialog
  readonly confirmDialog: ConfirmDialog

  constructor(page: Page) {
    this.page = page
    this.title = page.getByRole('heading', { name: 'Manage Categories', level: 1 })
    this.backToDashboard = page.getByRole('link', { name: 'Back to Dashboard' })
    this.addCategory = page.getByRole('main').getByRole('button', { name: 'Add Category' }).first()
    this.list = page.getByRole('region', { name: 'Your Categories' })
    this.rows = this.list.getByRole('listitem')
    this.names = this.list.getByRole('heading', { level: 3 })
    this.empty = page.getByText("You don't have any categories yet. Add your first category above.")
    this.firstPrayer = page.getByRole('link', { name: 'Add Your First Prayer' })
    this.tips = page.getByRole('region', { name: 'Tips for Managing Categories' })
    this.nameInput = this.list.getByRole('textbox')
    this.saveName = this.list.getByTitle('Save changes')
    this.banner = page.getByRole('main').getByRole('alert')
    this.reorder = page.getByRole('button', { name: 'Reorder', exact: true })
    this.done = page.getByRole('button', { name: 'Done' })
    this.reorderBar = page.getByRole('region', { name: 'Reorder Mode' })
    this.dismiss = this.banner.getByRole('button', { name: 'Dismiss' })
    this.retry = this.banner.getByRole('button', { name: 'Try again' })
    this.announcement = page.getByRole('status')
    this.dialog = new AddCategoryDialog(page)
    this.confirmDialog = new ConfirmDialog(page)
  }

  async open(): Promise<void> {
    await this.page.goto('/manage-categories')
  }

  /** The button that adds a suggested category. */
  suggestion(name: string): Locator {
    return this.list.getByRole('button', { name, exact: true })
  }

  row(name: string): CategoryRow {
    const heading = this.page.getByRole('heading', { name, exact: true })
    return new CategoryRow(this.rows.filter({ has: heading }))
  }

  /** Drags one category to the place of another with the mouse. */
  async dragByMouse(name: string, target: string): Promise<void> {
    const position = await this.#positionOf(target)
    const [from, ...path] = await this.#dragPath(name, target)
    await this.page.mouse.move(from.x, from.y)
    await this.page.mouse.down()
    for (const { x, y } of path) await this.page.mouse.move(x, y)
    await this.waitForAnnouncement(`${name} moved to position ${position} of`)
    await this.page.mouse.up()
  }

  /** Like `dragByMouse`, with one finger. */
  async dragByTouch(name: string, target: string): Promise<void> {
    const position = await this.#positionOf(target)
    const [from, ...path] = await this.#dragPath(name, target)
    const session = await this.page.context().newCDPSession(this.page)
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] })
    for (const point of path) {
      await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] })
    }
    await this.waitForAnnouncement(`${name} moved to position ${position} of`)
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await session.detach()
  }

  /** The position of a category in the list, as it is announced. */
  async #positionOf(name: string): Promise<string> {
    const names = await this.names.allInnerTexts()
    return String(names.indexOf(name) + 1)
  }

  /** Points from the handle of one category to just above the centre of the handle of another. */
  async #dragPath(name: string, target: string): Promise<[Point, ...Point[]]> {
    // A trial waits until the row has stopped moving, for example after it was dropped.
    for (const row of [target, name]) await this.row(row).handle.hover({ trial: true })
    const from = await centreOf(this.row(name).handle)
    const to = await centreOf(this.row(target).handle)
    const steps = 12
    const path = Array.from({ length: steps }, (_, step) => {
      const fraction = (step + 1) / steps
      return { x: from.x + (to.x - from.x) * fraction, y: from.y + (to.y - 4 - from.y) * fraction }
    })
    return [from, ...path]
  }

  /** Lifts a category with the keyboard. */
  async lift(name: string): Promise<void> {
    await this.row(name).handle.focus()
    await this.page.keyboard.press('Space')
    await this.waitForAnnouncement(`${name} lifted`)
  }

  /** Moves the lifted category by one position, and waits until the new one, such as `2 of 3`, is announced. */
  async move(key: 'ArrowUp' | 'ArrowDown', position: string): Promise<void> {
    await this.page.keyboard.press(key)
    await this.waitForAnnouncement(`moved to position ${position}`)
  }

  async drop(): Promise<void> {
    await this.page.keyboard.press('Space')
    await this.waitForAnnouncement('dropped at position')
  }

  async waitForAnnouncement(text: string): Promise<void> {
    await this.announcement.filter({ hasText: text }).first().waitFor({ state: 'attached' })
  }

  async add(name: string): Promise<void> {
    await this.addCategory.click()
    await this.dialog.name.fill(name)
    await this.dialog.addButton.click()
  }
}

interface Point {
  x: number
  y: number
}

async function centreOf(locator: Locator): Promise<Point> {
  const box = await locator.boundingBox()
  if (box === null) throw new Error('The element has no box: it is hidden.')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

export class CategoryRow {
  readonly root: Locator
  readonly nameText: Locator
  readonly handle: Locator
  readonly hide: Locator
  readonly show: Locator
  readonly edit: Locator
  readonly remove: Locator
  readonly cannotRemove: Locator
  readonly up: Locator
  readonly down: Locator

  constructor(root: Locator) {
    this.root = root
    this.nameText = root.getByRole('heading')
    this.handle = root.getByRole('button', { name: 'Drag to reorder' })
    this.hide = root.getByTitle('Hide category')
    this.show = root.getByTitle('Show category')
    this.edit = root.getByTitle('Edit category')
    this.remove = root.getByTitle('Delete category')
    this.cannotRemove = root.getByTitle('Cannot delete: contains prayers')
    this.up = root.getByRole('button', { name: 'Move up' })
    this.down = root.getByRole('button', { name: 'Move down' })
  }
}

export class AddCategoryDialog {
  readonly root: Locator
  readonly name: Locator
  readonly addButton: Locator
  readonly cancel: Locator
  readonly close: Locator
  readonly error: Locator

  constructor(page: Page) {
    this.root = page.getByRole('dialog', { name: 'Add New Category' })
    this.name = this.root.getByLabel('Category Name')
    this.addButton = this.root.getByRole('button', { name: 'Add Category' })
    this.cancel = this.root.getByRole('button', { name: 'Cancel' })
    this.close = this.root.getByRole('button', { name: 'Close' })
    this.error = this.root.getByRole('alert')
  }
}
