import { Link } from 'wouter'
import { useSyncNow } from '#web/data/user-data.tsx'
import { DASHBOARD } from '#web/lib/navigation/routes.ts'
import { useUser } from '#web/lib/session/session.ts'
import { Card } from '#web/ui/card.tsx'
import { ArrowLeftIcon } from '#web/ui/icons.tsx'
import { PillLink } from '#web/ui/link.tsx'
import { DeleteSection } from './delete-section.tsx'
import { DeviceSection } from './device-section.tsx'
import { ExportSection } from './export-section.tsx'
import { ImportSection } from './import-section.tsx'

/** `/account`: export, import, and deleting the account. */
export function AccountDataScreen() {
  const user = useUser()
  const syncNow = useSyncNow()
  return (
    <div className="flex flex-col gap-4 sm:gap-8">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-0.5 sm:items-start">
        <h1 tabIndex={-1} className="min-w-0 flex-1 text-2xl tracking-tight sm:text-3xl">
          Your data
        </h1>
        <Link href={DASHBOARD} asChild>
          <PillLink title="Back to Dashboard" className="max-sm:size-11 max-sm:justify-center max-sm:p-0">
            <ArrowLeftIcon />
            <span className="max-sm:sr-only">Back to Dashboard</span>
          </PillLink>
        </Link>
        <p className="basis-full text-sm text-ink-soft sm:text-base">
          Take it along, bring it back, or remove it
        </p>
      </div>
      <Card className="divide-y divide-line">
        <ExportSection />
        <ImportSection onSent={syncNow} />
        <DeviceSection />
        <DeleteSection user={user} />
      </Card>
    </div>
  )
}
