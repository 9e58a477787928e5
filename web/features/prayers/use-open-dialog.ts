import { type ComponentType, useCallback, useEffect, useState } from 'react'
import type { Prayer } from '#web/data/prayers.ts'
import type { LazyChunk } from '#web/lib/lazy-chunk.ts'
import { newId } from '#web/lib/new-id.ts'
import { whenIdle } from '#web/lib/when-idle.ts'
import type { ShownError } from '#web/ui/messages.tsx'
import type { CardCategory } from './category-card.tsx'

/** The dialog that is open on the dashboard. */
export type OpenDialog =
  | { kind: 'add'; id: string; categoryId: string }
  | { kind: 'edit'; prayer: Prayer }
  | { kind: 'delete'; prayer: Prayer }

const NOT_LOADED = 'This could not be opened: part of the page could not be loaded.'

/** The dialog for a new prayer. The prayer gets its id here: if it is saved twice, it is still one prayer. */
export function addDialog(category: CardCategory): OpenDialog {
  return { kind: 'add', id: newId(), categoryId: category.id }
}

/**
 * Which dialog is open. The component that shows dialogs is preloaded when the browser is idle or the user approaches;
 * if it is still loading when a dialog is opened, the dialog appears once it has been loaded.
 */
export function useOpenDialog<Props>(dialogs: LazyChunk<ComponentType<Props>>) {
  const [shown, setShown] = useState<{ dialog: OpenDialog; Dialogs: ComponentType<Props> } | null>(null)
  const [loadFailed, setLoadFailed] = useState(false)
  const preload = useCallback(() => void dialogs.load().catch(() => undefined), [dialogs])
  useEffect(() => whenIdle(preload), [preload])

  const open = useCallback(
    (dialog: OpenDialog) => {
      setLoadFailed(false)
      const show = (Dialogs: ComponentType<Props>) => setShown({ dialog, Dialogs })
      if (dialogs.loaded) show(dialogs.loaded)
      else void dialogs.load().then(show, () => setLoadFailed(true))
    },
    [dialogs],
  )
  const close = useCallback((closed: OpenDialog) => {
    setShown((current) => (current?.dialog === closed ? null : current))
  }, [])
  const error: ShownError | null = loadFailed
    ? { message: NOT_LOADED, retry: () => location.reload(), dismiss: () => setLoadFailed(false) }
    : null
  return { shown, open, close, error, preload }
}
