import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { type LazyChunk, lazyChunk } from '#web/lib/loading/lazy-chunk.ts'
import { samplePrayer } from '#web/data/sample-rows.test-data.ts'
import { type OpenDialog, useOpenDialog } from './use-open-dialog.ts'

const Dialogs = () => null
const editAnna: OpenDialog = { kind: 'edit', prayer: samplePrayer({ id: 'anna' }) }
const deleteBen: OpenDialog = { kind: 'delete', prayer: samplePrayer({ id: 'ben' }) }

function renderOpenDialog(chunk: LazyChunk<typeof Dialogs>) {
  return renderHook(() => useOpenDialog(chunk)).result
}

it('opens a preloaded dialog at once', async () => {
  const load = vi.fn(async () => Dialogs)
  const chunk = lazyChunk(load)
  await chunk.load()
  const result = renderOpenDialog(chunk)
  act(() => result.current.open(editAnna))
  expect(result.current.shown).toEqual({ dialog: editAnna, Dialogs })
  act(() => result.current.close(editAnna))
  expect(result.current.shown).toBeNull()
  expect(load).toHaveBeenCalledTimes(1)
})

it('opens the dialog requested last once the dialogs have been loaded', async () => {
  let finishLoading: (content: typeof Dialogs) => void = () => {}
  const result = renderOpenDialog(lazyChunk(() => new Promise((resolve) => (finishLoading = resolve))))
  act(() => result.current.open(editAnna))
  act(() => result.current.open(deleteBen))
  expect(result.current.shown).toBeNull()
  await act(async () => finishLoading(Dialogs))
  expect(result.current.shown?.dialog).toBe(deleteBen)
})

it('shows an error if the dialogs cannot be loaded, until it is dismissed or the page is loaded again', async () => {
  const result = renderOpenDialog(lazyChunk(() => Promise.reject(new Error('no network'))))
  await act(async () => result.current.open(editAnna))
  expect(result.current.shown).toBeNull()
  expect(result.current.error?.message).toBe(
    'This could not be opened: part of the page could not be loaded.',
  )
  const reload = vi.fn<() => void>()
  vi.stubGlobal('location', { href: 'http://localhost/dashboard', reload })
  vi.stubGlobal('fetch', async () => new Response())
  result.current.error?.retry?.()
  await expect.poll(() => reload.mock.calls).toHaveLength(1)
  act(() => result.current.error?.dismiss())
  expect(result.current.error).toBeNull()
})

it('keeps a dialog open that was opened after the one that closes', async () => {
  const result = renderOpenDialog(lazyChunk(async () => Dialogs))
  await act(async () => result.current.open(editAnna))
  act(() => result.current.open(deleteBen))
  act(() => result.current.close(editAnna))
  expect(result.current.shown?.dialog).toBe(deleteBen)
})
