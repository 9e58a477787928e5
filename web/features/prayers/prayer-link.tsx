import type { ComponentProps } from 'react'
import { Link } from 'wouter'
import { prayerPath } from '#web/lib/navigation/routes.ts'

interface PrayerLinkProps extends Omit<ComponentProps<'a'>, 'href' | 'onClick'> {
  prayerId: string
}

/** A link to the page of a prayer. */
export function PrayerLink({ prayerId, children, ...rest }: PrayerLinkProps) {
  return (
    <Link {...rest} href={prayerPath(prayerId)}>
      {children}
    </Link>
  )
}
