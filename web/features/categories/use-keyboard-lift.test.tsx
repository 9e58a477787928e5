import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { sampleCategory } from './sample-category.test-data.ts'
import { useKeyboardLift } from './use-keyboard-lift.ts'

const family = sampleCategory({ id: 'family', name: 'Family' })
const friends = sampleCategory({ id: 'friends', name: 'Friends' })
const church = sampleCategory({ id: 'church', name: 'Church' })

function lifting() {
  const onDrop = vi.fn<(from: number, to: number) => void>()
  const hook = renderHook((categories) => useKeyboardLift(categories, onDrop), {
    initialProps: [family, friends, church],
  })
  const preventDefault = vi.fn<() => void>()
  const press = (key: string, id = 'family') =>
    act(() => hook.result.current.pressed(id, { key, preventDefault }))
  return { ...hook, onDrop, press, preventDefault }
}

it('lifts, moves and drops, and says each step', () => {
  const { result, press, onDrop } = lifting()
  press(' ')
  expect(result.current).toMatchObject({ liftedId: 'family', said: 'Family lifted, at position 1 of 3.' })
  press('ArrowDown')
  expect(result.current.order).toEqual(['friends', 'family', 'church'])
  expect(result.current.said).toBe('Family moved to position 2 of 3.')
  expect(onDrop).not.toHaveBeenCalled()
  press('Enter')
  expect(onDrop).toHaveBeenCalledExactlyOnceWith(0, 1)
  expect(result.current).toMatchObject({ liftedId: null, said: 'Family dropped at position 2 of 3.' })
})

it('stops at both ends', () => {
  const { result, press } = lifting()
  press(' ')
  press('ArrowUp')
  expect(result.current.order).toEqual(['family', 'friends', 'church'])
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) press(key)
  expect(result.current.order).toEqual(['friends', 'church', 'family'])
})

it.each(['Escape', 'leaving'])('puts it back on %s', (way) => {
  const { result, press, onDrop } = lifting()
  press(' ')
  press('ArrowDown')
  if (way === 'Escape') press('Escape')
  else act(() => result.current.putBack())
  expect(result.current).toMatchObject({ liftedId: null, said: 'Family is back at position 1 of 3.' })
  expect(result.current.order).toEqual(['family', 'friends', 'church'])
  expect(onDrop).not.toHaveBeenCalled()
})

it('leaves all other keys, and the arrows of what is not lifted, to the page', () => {
  const { press, preventDefault } = lifting()
  press('ArrowDown')
  press('Escape')
  press('Tab')
  expect(preventDefault).not.toHaveBeenCalled()
  press(' ')
  expect(preventDefault).toHaveBeenCalledOnce()
})

it('follows a list that changes meanwhile', () => {
  const { result, press, rerender, onDrop } = lifting()
  press(' ')
  press('ArrowDown')
  press('ArrowDown')
  rerender([church, family])
  expect(result.current.order).toEqual(['church', 'family'])
  press(' ')
  expect(onDrop).toHaveBeenCalledExactlyOnceWith(1, 1)
})

it('lets go of a category that is gone', () => {
  const { result, press, rerender } = lifting()
  press(' ')
  rerender([friends, church])
  expect(result.current).toMatchObject({ liftedId: null, order: ['friends', 'church'] })
})
