import type { Locator, Page } from '@playwright/test'
import { confirmDialogOf } from './confirm-dialog.ts'

export function categoriesScreenOf(page: Page) {
  const addCategory = page.getByRole('main').getByRole('button', { name: 'Add Category' }).first()
  const list = page.getByRole('region', { name: 'Your Categories' })
  const rows = list.getByRole('listitem')
  const names = list.getByRole('heading', { level: 3 })
  const banner = page.getByRole('main').getByRole('alert')
  const announcement = page.getByRole('status')
  const dialog = addCategoryDialogOf(page)
  const row = (name: string) =>
    categoryRowOf(rows.filter({ has: page.getByRole('heading', { name, exact: true }) }))
  const waitForAnnouncement = (text: string) =>
    announcement.filter({ hasText: text }).first().waitFor({ state: 'attached' })
  /** The position of a category in the list, as it is announced. */
  const positionOf = async (name: string) => String((await names.allInnerTexts()).indexOf(name) + 1)
  /** Points from the handle of one category to just above the centre of the handle of another. */
  const dragPath = async (name: string, target: string): Promise<[Point, ...Point[]]> => {
    // A trial waits until the row has stopped moving, for example after it was dropped.
    for (const moved of [target, name]) await row(moved).handle.hover({ trial: true })
    const from = await centreOf(row(name).handle)
    const to = await centreOf(row(target).handle)
    const steps = 12
    const path = Array.from({ length: steps }, (_, step) => {
      const fraction = (step + 1) / steps
      return { x: from.x + (to.x - from.x) * fraction, y: from.y + (to.y - 4 - from.y) * fraction }
    })
    return [from, ...path]
  }
  return {
    page,
    title: page.getByRole('heading', { name: 'Manage Categories', level: 1 }),
    backToDashboard: page.getByRole('link', { name: 'Back to Dashboard' }),
    addCategory,
    list,
    rows,
    /** The headings of the rows. */
    names,
    empty: page.getByText("You don't have any categories yet. Add your first category above."),
    /** Leads to the dialog for the first prayer. */
    firstPrayer: page.getByRole('link', { name: 'Add Your First Prayer' }),
    nameInput: list.getByRole('textbox'),
    saveName: list.getByTitle('Save changes'),
    banner,
    reorder: page.getByRole('button', { name: 'Reorder', exact: true }),
    done: page.getByRole('button', { name: 'Done' }),
    reorderBar: page.getByRole('region', { name: 'Reorder Mode' }),
    dismiss: banner.getByRole('button', { name: 'Dismiss' }),
    retry: banner.getByRole('button', { name: 'Try again' }),
    announcement,
    dialog,
    confirmDialog: confirmDialogOf(page),
    /** Opened by the button of a category that cannot be deleted. */
    moveDialog: page.getByRole('dialog', { name: 'Move all to…' }),
    open: async () => void (await page.goto('/manage-categories')),
    /** The button that adds a suggested category. */
    suggestion: (name: string) => list.getByRole('button', { name, exact: true }),
    row,
    /** Drags one category to the place of another with the mouse. */
    async dragByMouse(name: string, target: string) {
      const position = await positionOf(target)
      const [from, ...path] = await dragPath(name, target)
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      for (const { x, y } of path) await page.mouse.move(x, y)
      await waitForAnnouncement(`${name} moved to position ${position} of`)
      await page.mouse.up()
    },
    /** Like `dragByMouse`, with one finger. */
    async dragByTouch(name: string, target: string) {
      const position = await positionOf(target)
      const [from, ...path] = await dragPath(name, target)
      const session = await page.context().newCDPSession(page)
      await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] })
      for (const point of path) {
        await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] })
      }
      await waitForAnnouncement(`${name} moved to position ${position} of`)
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      await session.detach()
    },
    /** Lifts a category with the keyboard. */
    async lift(name: string) {
      await row(name).handle.focus()
      await page.keyboard.press('Space')
      await waitForAnnouncement(`${name} lifted`)
    },
    /** Moves the lifted category by one position, and waits until the new one, such as `2 of 3`, is announced. */
    async move(key: 'ArrowUp' | 'ArrowDown', position: string) {
      await page.keyboard.press(key)
      await waitForAnnouncement(`moved to position ${position}`)
    },
    async drop() {
      await page.keyboard.press('Space')
      await waitForAnnouncement('dropped at position')
    },
    waitForAnnouncement,
    async add(name: string) {
      await addCategory.click()
      await dialog.name.fill(name)
      await dialog.addButton.click()
    },
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

function categoryRowOf(root: Locator) {
  return {
    root,
    nameText: root.getByRole('heading'),
    handle: root.getByRole('button', { name: 'Drag to reorder' }),
    hide: root.getByTitle('Hide category'),
    show: root.getByTitle('Show category'),
    edit: root.getByTitle('Edit category'),
    remove: root.getByTitle('Delete category'),
    cannotRemove: root.getByTitle('Cannot delete: contains prayers'),
    up: root.getByRole('button', { name: 'Move up' }),
    down: root.getByRole('button', { name: 'Move down' }),
  }
}

function addCategoryDialogOf(page: Page) {
  const root = page.getByRole('dialog', { name: 'Add New Category' })
  return {
    root,
    name: root.getByLabel('Category Name'),
    addButton: root.getByRole('button', { name: 'Add Category' }),
    cancel: root.getByRole('button', { name: 'Cancel' }),
    close: root.getByRole('button', { name: 'Close' }),
    error: root.getByRole('alert'),
  }
}
