import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { DASHBOARD } from '#web/lib/navigation/routes.ts'
import { classNames } from '#web/ui/class-names.ts'
import { ArrowLeftIcon } from '#web/ui/page-icons.tsx'
import { PillLink } from '#web/ui/pill-link.tsx'

/** @param shining whether the link to the dashboard plays its shine animation */
export function ManageHeader({ shining }: { shining: boolean }) {
  return (
    <div>
      <Link href={DASHBOARD} asChild>
        <PillLink className={classNames('relative overflow-clip', shining && 'border-accent')}>
          <ArrowLeftIcon />
          Back to Dashboard
          {shining && (
            <span
              aria-hidden="true"
              className="pointer-events-none absolute inset-0 translate-x-full bg-linear-to-r from-transparent via-accent-soft to-transparent transition-transform duration-1000 ease-calm motion-reduce:hidden starting:-translate-x-full"
            />
          )}
        </PillLink>
      </Link>
      <h1 tabIndex={-1} className="mt-3 text-2xl tracking-tight sm:mt-5 sm:text-3xl">
        Manage Categories
      </h1>
      <p className="mt-0.5 text-sm text-ink-soft sm:text-base">
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
