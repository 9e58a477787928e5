import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { lazyChunk } from '#web/lib/lazy-chunk.ts'
import type { OpenDialog } from './open-dialog.ts'
import { samplePrayer } from './sample-prayer.test-data.ts'
import { useOpenDialog } from './use-open-dialog.ts'

const Dialogs = () => null
const edit: OpenDialog = { kind: 'edit', prayer: samplePrayer({ id: 'anna' }) }
const ask: OpenDialog = { kind: 'delete', prayer: samplePrayer({ id: 'ben' }) }

function openDialog(load: () => Promise<typeof Dialogs>) {
  const part = lazyChunk(load)
  const { result } = renderHook(() => useOpenDialog(part))
  return result
}

it('opens at once what was fetched ahead', async () => {
  const load = vi.fn(async () => Dialogs)
  const result = openDialog(load)
  await act(async () => result.current.fetchAhead())
  act(() => result.current.open(edit))
  expect(result.current.shown).toEqual({ dialog: edit, Dialogs })
  act(() => result.current.close(edit))
  expect(result.current.shown).toBeNull()
  expect(load).toHaveBeenCalledTimes(1)
})

it('opens what has yet to arrive when it does: the last one asked for', async () => {
  let arrive: (part: typeof Dialogs) => void = () => {}
  const result = openDialog(() => new Promise((resolve) => (arrive = resolve)))
  act(() => result.current.open(edit))
  act(() => result.current.open(ask))
  expect(result.current.shown).toBeNull()
  await act(async () => arrive(Dialogs))
  expect(result.current.shown?.dialog).toBe(ask)
})

it('says that it did not arrive, until that is dismissed', async () => {
  const result = openDialog(() => Promise.reject(new Error('no network')))
  await act(async () => result.current.open(edit))
  expect(result.current.shown).toBeNull()
  expect(result.current.problem?.message).toBe('This could not be opened: a part of the page did not arrive.')
  act(() => result.current.problem?.dismiss())
  expect(result.current.problem).toBeNull()
})

it('leaves a dialog open that was opened after the one that closes', async () => {
  const result = openDialog(async () => Dialogs)
  await act(async () => result.current.open(edit))
  act(() => result.current.open(ask))
  act(() => result.current.close(edit))
  expect(result.current.shown?.dialog).toBe(ask)
})
