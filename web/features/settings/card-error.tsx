import { AlertIcon } from '#web/ui/icons.tsx'

/** Why it could not be done, where it was to be done. Nothing while there is nothing to say. */
export function CardError({ children }: { children: string | null }) {
  if (children === null) return null
  return (
    <p
      role="alert"
      className="flex gap-3 rounded-md border border-danger-line bg-danger-soft px-4 py-3 text-sm text-danger"
    >
      <AlertIcon className="mt-0.5" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  )
}
