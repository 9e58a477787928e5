import { type ComponentType, useCallback, useEffect, useState } from 'react'
import type { LazyChunk } from '#web/lib/lazy-chunk.ts'
import type { ListError } from '#web/data/use-list.ts'
import { whenIdle } from './idle-queue.ts'
import type { OpenDialog } from './open-dialog.ts'

const MISSING = 'This could not be opened: a part of the page did not arrive.'

/**
 * Which dialog is open. The dialogs are fetched when there is time, or when a hand moves towards them: by the time one
 * is asked for it is there, and opens at once. One that has yet to arrive opens when it does.
 *
 * @param dialogs the component that shows them
 */
export function useOpenDialog<Props>(dialogs: LazyChunk<ComponentType<Props>>) {
  const [shown, setShown] = useState<{ dialog: OpenDialog; Dialogs: ComponentType<Props> } | null>(null)
  const [missing, setMissing] = useState(false)
  const fetchAhead = useCallback(() => void dialogs.load().catch(() => undefined), [dialogs])
  useEffect(() => whenIdle(fetchAhead), [fetchAhead])

  const open = useCallback(
    (dialog: OpenDialog) => {
      setMissing(false)
      const show = (Dialogs: ComponentType<Props>) => setShown({ dialog, Dialogs })
      if (dialogs.loaded) show(dialogs.loaded)
      else void dialogs.load().then(show, () => setMissing(true))
    },
    [dialogs],
  )
  const close = useCallback((closed: OpenDialog) => {
    setShown((current) => (current?.dialog === closed ? null : current))
  }, [])
  const problem: ListError | null = missing
    ? { message: MISSING, retry: () => location.reload(), dismiss: () => setMissing(false) }
    : null
  return { shown, open, close, problem, fetchAhead }
}
