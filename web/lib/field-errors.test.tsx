import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { type FieldErrors, useFieldErrors } from './field-errors.ts'

type Errors = FieldErrors<'email' | 'password'>

it.each<[string, Errors, Errors]>([
  ['stays while its field is not valid', { email: 'Missing', password: 'Missing' }, { password: 'Missing' }],
  ['says what is wrong now', { password: 'Too short' }, { password: 'Too short' }],
  ['disappears as soon as its field is valid', { email: 'Missing', password: null }, {}],
])('while the user types, an error %s, and no other appears', (_, found, left) => {
  const { result } = renderHook(() => useFieldErrors<'email' | 'password'>())
  act(() => result.current.show({ email: null, password: 'Missing' }))
  act(() => result.current.recheck(found))
  expect(result.current.errors).toEqual(left)
  act(() => result.current.recheck({ email: 'Missing' }))
  expect(result.current.errors).toEqual({})
})
