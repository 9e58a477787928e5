import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { sampleCategory } from '#web/data/sample-rows.test-data.ts'
import { useKeyboardLift } from './use-keyboard-lift.ts'

const family = sampleCategory({ id: 'family', name: 'Family' })
const friends = sampleCategory({ id: 'friends', name: 'Friends' })
const church = sampleCategory({ id: 'church', name: 'Church' })

function renderLift() {
  const onDrop = vi.fn<(from: number, to: number) => void>()
  const hook = renderHook((categories) => useKeyboardLift(categories, onDrop), {
    initialProps: [family, friends, church],
  })
  const preventDefault = vi.fn<() => void>()
  const press = (key: string, id = 'family') =>
    act(() => hook.result.current.handleKeyDown(id, { key, preventDefault }))
  const order = () => hook.result.current.categories.map(({ id }) => id)
  return { ...hook, onDrop, press, order, preventDefault }
}

it('lifts, moves and drops, and announces each step', () => {
  const { result, press, order, onDrop } = renderLift()
  press(' ')
  expect(result.current).toMatchObject({
    liftedId: 'family',
    announcement: 'Family lifted, at position 1 of 3.',
  })
  press('ArrowDown')
  expect(order()).toEqual(['friends', 'family', 'church'])
  expect(result.current.announcement).toBe('Family moved to position 2 of 3.')
  expect(onDrop).not.toHaveBeenCalled()
  press('Enter')
  expect(onDrop).toHaveBeenCalledExactlyOnceWith(0, 1)
  expect(result.current).toMatchObject({ liftedId: null, announcement: 'Family dropped at position 2 of 3.' })
})

it('stops at both ends', () => {
  const { press, order } = renderLift()
  press(' ')
  press('ArrowUp')
  expect(order()).toEqual(['family', 'friends', 'church'])
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) press(key)
  expect(order()).toEqual(['friends', 'church', 'family'])
})

it.each(['Escape', 'cancel'])('returns it to its position on %s', (action) => {
  const { result, press, order, onDrop } = renderLift()
  press(' ')
  press('ArrowDown')
  if (action === 'Escape') press('Escape')
  else act(() => result.current.cancel())
  expect(result.current).toMatchObject({ liftedId: null, announcement: 'Family is back at position 1 of 3.' })
  expect(order()).toEqual(['family', 'friends', 'church'])
  expect(onDrop).not.toHaveBeenCalled()
})

it('leaves other keys to the page, and arrow keys while nothing is lifted', () => {
  const { press, preventDefault } = renderLift()
  press('ArrowDown')
  press('Escape')
  press('Tab')
  expect(preventDefault).not.toHaveBeenCalled()
  press(' ')
  expect(preventDefault).toHaveBeenCalledOnce()
})

it('adapts to a list that changes meanwhile', () => {
  const { press, order, rerender, onDrop } = renderLift()
  press(' ')
  press('ArrowDown')
  press('ArrowDown')
  rerender([church, family])
  expect(order()).toEqual(['church', 'family'])
  press(' ')
  expect(onDrop).toHaveBeenCalledExactlyOnceWith(1, 1)
})

it('ends the lift when the category is deleted', () => {
  const { result, press, order, rerender } = renderLift()
  press(' ')
  rerender([friends, church])
  expect(result.current.liftedId).toBeNull()
  expect(order()).toEqual(['friends', 'church'])
})
