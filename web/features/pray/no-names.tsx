import { useState } from 'react'
import { Link } from 'wouter'
import type { Category } from '#web/data/categories.ts'
import { useCategoryActions } from '#web/data/category-actions.ts'
import { FirstPrayerLink, SuggestedCategories } from '#web/features/prayer-parts/first-steps.tsx'
import { DASHBOARD } from '#web/lib/navigation/routes.ts'
import { newId } from '#web/lib/new-id.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Card } from '#web/ui/card.tsx'
import { ignoreSecondClick } from '#web/ui/dialog.tsx'
import { ButtonLink } from '#web/ui/link.tsx'
import { Skeleton } from '#web/ui/loading.tsx'

/** For a user without prayers: a category first, then a prayer. */
export function FirstSteps({ categories }: { categories: readonly Category[] }) {
  const { add } = useCategoryActions()
  const announce = useAnnounce()
  const [startedHere, setStartedHere] = useState(false)
  if (categories.length > 0 && !categories.some((category) => category.is_visible))
    return <NobodyToday isChoice={false} />
  const addCategory = async (name: string) => {
    // The link appears in its place.
    ignoreSecondClick()
    setStartedHere(true)
    const { success } = await add(newId(), name)
    if (success) announce('Category added', { quiet: true })
  }
  return (
    <Card className="flex flex-col items-center gap-4 px-5 py-8 text-center sm:px-7">
      {categories.length === 0 ? (
        <>
          <p className="text-ink-soft">
            The people you pray for will come up here, day by day. Begin with a category:
          </p>
          <SuggestedCategories onAdd={(name) => void addCategory(name)} />
        </>
      ) : (
        <>
          <p className="text-ink-soft">Now add someone you pray for.</p>
          <FirstPrayerLink focused={startedHere} />
        </>
      )}
    </Card>
  )
}

/** For a user whose prayers are all left out. */
export function NobodyToday({ isChoice }: { isChoice: boolean }) {
  return (
    <Card className="flex flex-col items-start gap-4 p-5 sm:p-7">
      <p className="text-ink-soft">
        {isChoice
          ? 'There is nobody to pray for in these categories today.'
          : 'There is nothing to pray for at the moment: your prayers are answered, paused, hidden or for other days.'}
      </p>
      <Link href={DASHBOARD} asChild>
        <ButtonLink>See your prayers</ButtonLink>
      </Link>
    </Card>
  )
}

/** How long each name appears to be. */
const WIDTHS = ['w-2/5', 'w-1/4', 'w-1/3', 'w-1/2', 'w-3/5']

/** The outline of the names while they are loading. */
export function NamesSkeleton() {
  return (
    <div className="appear-late flex flex-col">
      <p role="status" className="sr-only">
        Loading prayers...
      </p>
      <Skeleton className="mb-2 h-7 w-40" />
      {WIDTHS.map((width) => (
        <div key={width} className="flex h-15 items-center gap-3">
          <Skeleton className="size-6 rounded-full" />
          <Skeleton className={`h-5 ${width}`} />
        </div>
      ))}
    </div>
  )
}
