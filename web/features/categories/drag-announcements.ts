import type { Announcements, UniqueIdentifier } from '@dnd-kit/core'
import type { Category } from '#web/data/categories.ts'

/** Read by screen readers when the handle has the focus. */
export const DRAG_INSTRUCTIONS =
  'To move this category, press Space to lift it, the arrow keys to move it, Space again to drop it, or Escape to leave it where it was.'

/** The announcement of each step; `index` is the position, counted from 0. */
export const DRAG_MESSAGES = {
  lifted: (name: string, index: number, count: number) => `${name} lifted, at ${position(index, count)}.`,
  moved: (name: string, index: number, count: number) => `${name} moved to ${position(index, count)}.`,
  dropped: (name: string, index: number, count: number) => `${name} dropped at ${position(index, count)}.`,
  cancelled: (name: string, index: number, count: number) => `${name} is back at ${position(index, count)}.`,
}

function position(index: number, count: number): string {
  return `position ${index + 1} of ${count}`
}

/** The announcements of a drag with mouse or touch, for the categories in their current order. */
export function dragAnnouncements(categories: readonly Category[]): Announcements {
  const message = (step: keyof typeof DRAG_MESSAGES, id: UniqueIdentifier, overId: UniqueIdentifier) =>
    DRAG_MESSAGES[step](
      categories.find((category) => category.id === id)?.name ?? 'The category',
      categories.findIndex((category) => category.id === overId),
      categories.length,
    )
  // dnd-kit also reports that a lifted row is over its own position: announcing that would interrupt `lifted`.
  let lastOverId: UniqueIdentifier | null = null
  return {
    onDragStart: ({ active }) => {
      lastOverId = active.id
      return message('lifted', active.id, active.id)
    },
    onDragOver: ({ active, over }) => {
      if (!over || over.id === lastOverId) return undefined
      lastOverId = over.id
      return message('moved', active.id, over.id)
    },
    onDragEnd: ({ active, over }) => message('dropped', active.id, over?.id ?? active.id),
    onDragCancel: ({ active }) => message('cancelled', active.id, active.id),
  }
}
