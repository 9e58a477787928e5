import { newVersion } from '#web/lib/reload.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { CloseIcon } from '#web/ui/icons.tsx'

/** Offers a new version of the app. Without an answer, it is used the next time that the app is opened. */
export function NewVersionNotice({ onReload }: { onReload: () => void }) {
  return (
    <div role="status" className="pointer-events-none fixed bottom-0 left-0 z-5 pr-4 pb-safe pl-safe">
      <div className="toast pointer-events-auto flex items-center gap-1 rounded-lg border border-line bg-raised py-1 pr-1 pl-4 text-sm text-ink-soft shadow-raised">
        <p>A new version is ready</p>
        <Button variant="ghost" className="text-sm" onClick={onReload}>
          Reload
        </Button>
        <IconButton label="Not now" onClick={() => newVersion.set(null)}>
          <CloseIcon />
        </IconButton>
      </div>
    </div>
  )
}
