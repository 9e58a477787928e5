import { type ComponentType, useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { NamedCategory } from '#web/data/categories.ts'
import type { Prayer } from '#web/data/prayers.ts'
import type { LazyChunk } from '#web/lib/loading/lazy-chunk.ts'
import { newId } from '#web/lib/new-id.ts'
import { reloadFromServer } from '#web/lib/loading/reload.ts'
import { type RequestedPrayer, requestedPrayer } from '#web/lib/navigation/requested-prayer.ts'
import { useStore } from '#web/lib/storage/store.ts'
import type { ShownError } from '#web/ui/messages.tsx'

/** The dialog that is open on the dashboard, and whether it begins with its draft. */
export type OpenDialog =
  | { kind: 'add'; id: string; categoryId: string; request?: RequestedPrayer; restore?: string | undefined }
  | { kind: 'add-several'; id: string; categoryId: string; restore?: string | undefined }
  | { kind: 'edit'; prayer: Prayer; restore?: string | undefined }
  | { kind: 'answer'; prayer: Prayer; restore?: string | undefined }
  | { kind: 'delete'; prayer: Prayer }

const NOT_LOADED = 'This could not be opened: part of the page could not be loaded.'

/** The dialog for a new prayer. The prayer gets its id here: if it is saved twice, it is still one prayer. */
export function addDialog(category: NamedCategory): OpenDialog {
  return { kind: 'add', id: newId(), categoryId: category.id }
}

/** The dialog for a list of prayers. */
export function addSeveralDialog(categoryId = ''): OpenDialog {
  return { kind: 'add-several', id: newId(), categoryId }
}

/**
 * Which dialog is open. If the component that shows dialogs is not loaded yet when one is opened, the dialog appears once
 * it is.
 */
export function useOpenDialog<Props>(dialogs: LazyChunk<ComponentType<Props>>) {
  const [shown, setShown] = useState<{ dialog: OpenDialog; Dialogs: ComponentType<Props> } | null>(null)
  const [loadFailed, setLoadFailed] = useState(false)

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
    ? { message: NOT_LOADED, retry: () => void reloadFromServer(), dismiss: () => setLoadFailed(false) }
    : null
  return { shown, open, close, error }
}

/**
 * Opens the dialog for a prayer that was requested from any screen or from outside the app, as soon as there is a category for it:
 * that of the prayer added last.
 *
 * @param visible the categories that can be selected; null until they have been received
 * @param prayers newest first; null until they have been received
 */
export function useRequestedPrayer(
  visible: readonly NamedCategory[] | null,
  prayers: readonly Prayer[] | null,
  open: (dialog: OpenDialog) => void,
): void {
  const request = useStore(requestedPrayer)
  const requestId = request?.id ?? null
  const prayerId = useMemo(() => requestId && newId(), [requestId])
  const openRequested = useEffectEvent(() => {
    if (!request || !prayerId) return
    const selectable = new Set(visible?.map(({ id }) => id))
    const last = prayers?.find(({ category_id: id }) => selectable.has(id))
    // Without any prayer, several categories leave the choice to the user.
    const only = visible?.length === 1 ? visible[0] : undefined
    open({
      kind: 'add',
      id: prayerId,
      categoryId: last?.category_id ?? only?.id ?? '',
      request,
    })
  })
  const isPossible = visible !== null && visible.length > 0 && prayers !== null
  useEffect(() => {
    if (requestId && isPossible) openRequested()
  }, [requestId, isPossible])
}
