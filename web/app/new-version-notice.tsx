import { type ReactNode, useEffect } from 'react'
import { useSyncStatus } from '#web/data/sync-status.ts'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { newVersion } from '#web/lib/loading/reload.ts'
import { useStore } from '#web/lib/storage/store.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { CloseIcon } from '#web/ui/icons.tsx'

/** Offers a new version of the app. Without an answer, it is used the next time that the app is opened. */
export function NewVersionNotice({ onReload }: { onReload: () => void }) {
  return (
    <ReloadNotice onReload={onReload} onDismiss={() => newVersion.set(null)}>
      <p>A new version is ready</p>
    </ReloadNotice>
  )
}

/** Another tab has upgraded the stored data: this page can show it, but not change it. The live region has to exist before. */
export function OutdatedNotice() {
  const { outdated } = useSyncStatus()
  const isOffered = useStore(newVersion) !== null
  useEffect(() => {
    // One offer to reload is enough.
    if (outdated && isOffered) newVersion.set(null)
  }, [outdated, isOffered])
  return (
    <ReloadNotice onReload={() => location.reload()}>
      {outdated && <p>A new version of {PRODUCT_NAME} is open in another tab</p>}
    </ReloadNotice>
  )
}

interface ReloadNoticeProps {
  onReload: () => void
  /** Without it, the notice stays. */
  onDismiss?: () => void
  /** The text; false for none. */
  children: ReactNode
}

/** Offers to reload the page, in a corner. Open forms save their drafts when the page is left. */
function ReloadNotice({ onReload, onDismiss, children }: ReloadNoticeProps) {
  return (
    <div
      role="status"
      className="pointer-events-none fixed bottom-(--bottom-bar) left-0 z-5 pr-4 pb-safe pl-safe"
    >
      {children !== false && (
        <div className="toast pointer-events-auto flex items-center gap-1 rounded-lg border border-line bg-raised py-1 pr-1 pl-4 text-sm text-ink-soft shadow-raised">
          {children}
          <Button variant="ghost" className="text-sm" onClick={onReload}>
            Reload
          </Button>
          {onDismiss && (
            <IconButton label="Not now" onClick={onDismiss}>
              <CloseIcon />
            </IconButton>
          )}
        </div>
      )}
    </div>
  )
}
