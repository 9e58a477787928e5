import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { DASHBOARD } from '#web/lib/navigation/routes.ts'
import { requestPrayer } from '#web/lib/navigation/requested-prayer.ts'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { PlusIcon } from '#web/ui/icons.tsx'

/** Names for the first categories. */
export const SUGGESTIONS = ['Family', 'Friends', 'Church']

/** Offers categories that are added at once, to a user who has none. */
export function SuggestedCategories({ onAdd }: { onAdd: (name: string) => void }) {
  return (
    <div
      role="group"
      aria-label="Suggested categories"
      className="flex flex-wrap justify-center gap-1.5 sm:gap-3"
    >
      {SUGGESTIONS.map((name) => (
        <Button key={name} className="text-sm max-sm:gap-1 max-sm:px-2.5" onClick={() => onAdd(name)}>
          <PlusIcon className="size-4" />
          {name}
        </Button>
      ))}
    </div>
  )
}

interface FirstPrayerLinkProps {
  /** Takes the focus from a button that has disappeared. */
  focused: boolean
}

/** Leads to the dashboard, where the dialog for a new prayer opens. */
export function FirstPrayerLink({ focused }: FirstPrayerLinkProps) {
  const linkRef = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (focused) linkRef.current?.focus()
  }, [focused])
  return (
    <Link
      ref={linkRef}
      href={DASHBOARD}
      className={buttonStyle('primary', 'max-sm:w-full')}
      onClick={requestPrayer}
    >
      Add Your First Prayer
    </Link>
  )
}
