import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { DASHBOARD } from '#web/lib/navigation/routes.ts'
import { newId } from '#web/lib/new-id.ts'
import { requestedPrayer } from '#web/lib/navigation/requested-prayer.ts'
import { useUser } from '#web/lib/session/session.ts'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { PlusIcon } from '#web/ui/icons.tsx'

const SUGGESTIONS = ['Family', 'Friends', 'Church']

/** Offers categories that are added at once, to a user who has none. */
export function SuggestedCategories({ onAdd }: { onAdd: (name: string) => void }) {
  return (
    <div className="flex flex-col items-center gap-4 py-8 text-center">
      <p className="text-ink-soft">You don't have any categories yet. Add your first category above.</p>
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
    </div>
  )
}

interface FirstPrayerProps {
  /** Takes the focus from a button that has disappeared. */
  focused: boolean
}

/** Leads to the dashboard, where the dialog for a new prayer opens. */
export function FirstPrayer({ focused }: FirstPrayerProps) {
  const { id: userId } = useUser()
  const linkRef = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (focused) linkRef.current?.focus()
  }, [focused])
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-4">
      <p className="text-ink-soft">Now add someone you pray for.</p>
      <Link
        ref={linkRef}
        href={DASHBOARD}
        className={buttonStyle('primary', 'max-sm:w-full')}
        onClick={() => requestedPrayer.set({ id: newId(), userId })}
      >
        Add Your First Prayer
      </Link>
    </div>
  )
}
