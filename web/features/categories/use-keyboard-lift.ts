import { type KeyboardEvent, useState } from 'react'
import { moveId } from './category-order.ts'
import type { Category } from '#web/data/categories.ts'
import { DRAG_WORDS } from './drag-announcements.ts'

/** A category lifted with the keyboard, and the place where it would be dropped. */
interface Lift {
  id: string
  to: number
}

const GRIPS = new Set([' ', 'Enter'])
const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

/**
 * Moves categories with the keyboard: Space or Enter lifts and drops, the arrows move, Escape and leaving the handle
 * put it back. The order in between is only shown. It is kept as a place, not as a list: a list that changes
 * meanwhile, on another device, is shown as it is, with the lifted category where it was carried.
 *
 * @param categories in the order that the list has
 * @param onDrop takes the places, from 0, that the category had and has
 */
export function useKeyboardLift(categories: readonly Category[], onDrop: (from: number, to: number) => void) {
  const [lift, setLift] = useState<Lift | null>(null)
  const [said, setSaid] = useState('')
  const ids = categories.map((category) => category.id)
  const last = ids.length - 1
  const from = lift ? ids.indexOf(lift.id) : -1
  const to = lift ? Math.min(lift.to, last) : -1
  if (lift && from < 0) setLift(null)

  const say = (step: keyof typeof DRAG_WORDS, id: string, place: number) => {
    const name = categories.find((category) => category.id === id)?.name ?? ''
    setSaid(DRAG_WORDS[step](name, place, ids.length))
  }
  const putBack = () => {
    if (!lift) return
    setLift(null)
    say('back', lift.id, from)
  }
  const carry = ({ id }: Lift, place: number) => {
    if (place < 0 || place > last) return
    setLift({ id, to: place })
    say('moved', id, place)
  }
  const drop = ({ id }: Lift) => {
    setLift(null)
    say('dropped', id, to)
    onDrop(from, to)
  }
  const pressed = (id: string, event: Pick<KeyboardEvent, 'key' | 'preventDefault'>) => {
    const held = lift?.id === id ? lift : null
    const step = STEPS[event.key]
    if (GRIPS.has(event.key)) {
      if (held) drop(held)
      else {
        setLift({ id, to: ids.indexOf(id) })
        say('lifted', id, ids.indexOf(id))
      }
    } else if (held && step !== undefined) carry(held, to + step)
    else if (held && event.key === 'Escape') putBack()
    else return
    event.preventDefault()
  }
  return {
    /** Id of the category in hand. */
    liftedId: lift?.id ?? null,
    /** All ids in the order to show. */
    order: moveId(ids, from, to),
    /** The latest step, for those who listen. */
    said,
    pressed,
    putBack,
  }
}
