import { arrayMove } from '@dnd-kit/sortable'
import { type KeyboardEvent, useState } from 'react'
import type { Category } from '#web/data/categories.ts'
import { DRAG_MESSAGES } from './drag-announcements.ts'

/** The category lifted with the keyboard, and the position, counted from 0, where it would be dropped. */
interface Lift {
  id: string
  to: number
}

const LIFT_KEYS = new Set([' ', 'Enter'])
const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

/**
 * Reorders categories with the keyboard: Space or Enter lifts and drops, the arrow keys move, Escape cancels. (dnd-kit's
 * KeyboardSensor ignores keys pressed immediately after lifting.) While a category is lifted, only its target position
 * is kept, so that the list can change meanwhile.
 *
 * @param onDrop called with the positions, counted from 0, before and after
 */
export function useKeyboardLift(categories: readonly Category[], onDrop: (from: number, to: number) => void) {
  const [lift, setLift] = useState<Lift | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const indexOf = (id: string) => categories.findIndex((category) => category.id === id)
  const last = categories.length - 1
  const from = lift ? indexOf(lift.id) : -1
  const to = lift ? Math.min(lift.to, last) : -1
  const isDeleted = lift !== null && from === -1
  if (isDeleted) setLift(null)

  /** @param index the position, counted from 0 */
  const announce = (step: keyof typeof DRAG_MESSAGES, id: string, index: number) => {
    const name = categories[indexOf(id)]?.name ?? ''
    setAnnouncement(DRAG_MESSAGES[step](name, index, categories.length))
  }
  const pickUp = (id: string) => {
    setLift({ id, to: indexOf(id) })
    announce('lifted', id, indexOf(id))
  }
  const moveTo = ({ id }: Lift, index: number) => {
    if (index < 0 || index > last) return
    setLift({ id, to: index })
    announce('moved', id, index)
  }
  const drop = ({ id }: Lift) => {
    setLift(null)
    announce('dropped', id, to)
    onDrop(from, to)
  }
  const cancel = () => {
    if (!lift) return
    setLift(null)
    announce('cancelled', lift.id, from)
  }
  /** @param id of the category whose handle has the focus */
  const handleKeyDown = (id: string, event: Pick<KeyboardEvent, 'key' | 'preventDefault'>) => {
    const lifted = lift?.id === id ? lift : null
    const step = STEPS[event.key]
    if (LIFT_KEYS.has(event.key)) {
      if (lifted) drop(lifted)
      else pickUp(id)
    } else if (lifted && step !== undefined) moveTo(lifted, to + step)
    else if (lifted && event.key === 'Escape') cancel()
    else return
    event.preventDefault()
  }
  return {
    liftedId: lift?.id ?? null,
    /** In the order to show. */
    categories: from === -1 || from === to ? categories : arrayMove([...categories], from, to),
    announcement,
    announce,
    handleKeyDown,
    cancel,
  }
}
