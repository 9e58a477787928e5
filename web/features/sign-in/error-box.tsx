import type { ReactNode } from 'react'
import { AlertIcon } from '#web/ui/icons.tsx'

/** Why the form could not do its work, where it was to do it. */
export function ErrorBox({ children }: { children: ReactNode }) {
  return (
    <div
      role="alert"
      className="flex gap-3 rounded-md border border-danger-line bg-danger-soft px-4 py-3 text-sm text-danger"
    >
      <AlertIcon className="mt-0.5" />
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </div>
  )
}
