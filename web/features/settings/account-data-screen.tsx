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
      <div>
        <Link href={DASHBOARD} asChild>
          <PillLink>
            <ArrowLeftIcon />
            Back to Dashboard
          </PillLink>
        </Link>
        <h1 tabIndex={-1} className="mt-3 text-2xl tracking-tight sm:mt-5 sm:text-3xl">
          Your data
        </h1>
        <p className="mt-0.5 text-sm text-ink-soft sm:text-base">
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
