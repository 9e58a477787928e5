import type { Announcements, UniqueIdentifier } from '@dnd-kit/core'
import type { Category } from './category.ts'

/** What is said before the handle is used. */
export const DRAG_INSTRUCTIONS =
  'To move this category, press Space to lift it, the arrow keys to move it, Space again to drop it, or Escape to leave it where it was.'

/** What is said at each step of a drag, for those who listen. Made anew for every order of the list. */
export function dragAnnouncements(categories: readonly Category[]): Announcements {
  const name = (id: UniqueIdentifier) =>
    categories.find((category) => category.id === id)?.name ?? 'The category'
  const place = (id: UniqueIdentifier) =>
    `position ${categories.findIndex((category) => category.id === id) + 1} of ${categories.length}`
  // Lifting also reports that the row is over its own place: that is no move, and must not drown the first words.
  let at: UniqueIdentifier | null = null
  return {
    onDragStart: ({ active }) => {
      at = active.id
      return `${name(active.id)} lifted, at ${place(active.id)}.`
    },
    onDragOver: ({ active, over }) => {
      if (!over || over.id === at) return undefined
      at = over.id
      return `${name(active.id)} moved to ${place(over.id)}.`
    },
    onDragEnd: ({ active, over }) =>
      over ? `${name(active.id)} dropped at ${place(over.id)}.` : `${name(active.id)} dropped where it was.`,
    onDragCancel: ({ active }) => `${name(active.id)} is back at ${place(active.id)}.`,
  }
}
