import type { ReactNode } from 'react'
import { newVersion } from '#web/lib/loading/reload.ts'
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

interface ReloadNoticeProps {
  onReload: () => void
  /** Without it, the notice stays. */
  onDismiss?: () => void
  /** The text; false for none. */
  children: ReactNode
}

/** Offers to reload the page, in a corner. Open forms save their drafts when the page is left. */
export function ReloadNotice({ onReload, onDismiss, children }: ReloadNoticeProps) {
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
