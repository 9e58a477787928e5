import { Link } from 'wouter'
import { useSyncNow } from '#web/data/user-data.tsx'
import { DASHBOARD } from '#web/lib/paths.ts'
import { useUser } from '#web/lib/session.ts'
import { ArrowLeftIcon } from '#web/ui/icons.tsx'
import { PillLink } from '#web/ui/link.tsx'
import { DeleteCard } from './delete-card.tsx'
import { DeviceCard } from './device-card.tsx'
import { ExportCard } from './export-card.tsx'
import { ImportCard } from './import-card.tsx'

/** `/account`: export, import, and deleting the account. */
export function AccountDataScreen() {
  const user = useUser()
  const syncNow = useSyncNow()
  return (
    <div className="flex flex-col gap-8">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 tabIndex={-1} className="text-3xl tracking-tight">
            Your data
          </h1>
          <p className="mt-1.5 text-ink-soft">Take it along, bring it back, or remove it</p>
        </div>
        <Link href={DASHBOARD} asChild>
          <PillLink>
            <ArrowLeftIcon />
            Back to Dashboard
          </PillLink>
        </Link>
      </div>
      <div className="grid gap-6 md:grid-cols-2">
        <ExportCard />
        <ImportCard onSent={syncNow} />
        <DeviceCard />
        <DeleteCard user={user} />
      </div>
    </div>
  )
}
