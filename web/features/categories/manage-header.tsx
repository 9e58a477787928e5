import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { DASHBOARD } from '#web/lib/navigation/routes.ts'
import { classNames } from '#web/ui/class-names.ts'
import { ArrowLeftIcon } from '#web/ui/icons.tsx'
import { PillLink } from '#web/ui/link.tsx'

/** @param shining whether the link to the dashboard plays its shine animation */
export function ManageHeader({ shining }: { shining: boolean }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-0.5 sm:items-start">
      <h1 tabIndex={-1} className="min-w-0 flex-1 text-2xl tracking-tight sm:text-3xl">
        Manage Categories
      </h1>
      <Link href={DASHBOARD} asChild>
        <PillLink
          title="Back to Dashboard"
          className={classNames(
            'relative overflow-clip max-sm:size-11 max-sm:justify-center max-sm:p-0',
            shining && 'border-gold-bright',
          )}
        >
          <ArrowLeftIcon />
          <span className="max-sm:sr-only">Back to Dashboard</span>
          {shining && (
            <span
              aria-hidden="true"
              className="pointer-events-none absolute inset-0 translate-x-full bg-linear-to-r from-transparent via-gold-bright/50 to-transparent transition-transform duration-1000 ease-calm motion-reduce:hidden starting:-translate-x-full"
            />
          )}
        </PillLink>
      </Link>
      <p className="basis-full text-sm text-ink-soft sm:text-base">
        Organize your prayers with custom categories
      </p>
    </div>
  )
}

const SHINE_DELAY_MS = 300

/** The state of the shine animation: it starts shortly after `shineSoon` and stops when no categories are left. */
export function useShine(categoryCount: number) {
  const [scheduled, setScheduled] = useState(false)
  const [shining, setShining] = useState(false)
  if (categoryCount === 0 && shining) setShining(false)

  useEffect(() => {
    if (!scheduled) return undefined
    const timer = setTimeout(() => {
      setScheduled(false)
      setShining(true)
    }, SHINE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [scheduled])

  return { shining, shineSoon: () => setScheduled(true) }
}
