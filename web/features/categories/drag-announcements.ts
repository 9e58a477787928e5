import type { Announcements, UniqueIdentifier } from '@dnd-kit/core'
import type { Category } from '#web/data/categories.ts'

/** What is said before the handle is used. */
export const DRAG_INSTRUCTIONS =
  'To move this category, press Space to lift it, the arrow keys to move it, Space again to drop it, or Escape to leave it where it was.'

/** What is said of a category on its way; places count from 0. */
export const DRAG_WORDS = {
  lifted: (name: string, place: number, count: number) => `${name} lifted, at ${placeText(place, count)}.`,
  moved: (name: string, place: number, count: number) => `${name} moved to ${placeText(place, count)}.`,
  dropped: (name: string, place: number, count: number) => `${name} dropped at ${placeText(place, count)}.`,
  back: (name: string, place: number, count: number) => `${name} is back at ${placeText(place, count)}.`,
}

function placeText(place: number, count: number): string {
  return `position ${place + 1} of ${count}`
}

/** What is said at each step of a drag, for those who listen. Made anew for every order of the list. */
export function dragAnnouncements(categories: readonly Category[]): Announcements {
  const say = (step: keyof typeof DRAG_WORDS, id: UniqueIdentifier, placeOf: UniqueIdentifier) =>
    DRAG_WORDS[step](
      categories.find((category) => category.id === id)?.name ?? 'The category',
      categories.findIndex((category) => category.id === placeOf),
      categories.length,
    )
  // Lifting also reports that the row is over its own place: that is no move, and must not drown the first words.
  let at: UniqueIdentifier | null = null
  return {
    onDragStart: ({ active }) => {
      at = active.id
      return say('lifted', active.id, active.id)
    },
    onDragOver: ({ active, over }) => {
      if (!over || over.id === at) return undefined
      at = over.id
      return say('moved', active.id, over.id)
    },
    onDragEnd: ({ active, over }) => say('dropped', active.id, over?.id ?? active.id),
    onDragCancel: ({ active }) => say('back', active.id, active.id),
  }
}
