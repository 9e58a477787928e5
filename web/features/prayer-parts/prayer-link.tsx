import type { ComponentProps, MouseEvent } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { keepLinkPosition } from '#web/lib/navigation/link-position.ts'
import { prayerPath } from '#web/lib/navigation/routes.ts'
import { navigateAfterDialogs } from '#web/ui/close-on-back.ts'

/** In the state of a history entry: that the app has opened the page, so that "back" stays in the app. */
export const OPENED_HERE = 'openedHere'

/** Opens the page of a prayer. The parameters are those of `prayerPath`. */
export function openPrayer(id: string, entry?: string | null): void {
  navigateAfterDialogs(() => {
    keepLinkPosition(prayerPath(id))
    navigate(prayerPath(id, entry), { state: { [OPENED_HERE]: true } })
  })
}

interface PrayerLinkProps extends Omit<ComponentProps<'a'>, 'href' | 'onClick'> {
  prayerId: string
  /** The entry of its timeline to which the page scrolls; see `prayerPath`. */
  entry?: string | null
}

/** A link to the page of a prayer. Unlike the router's, it does not follow the URL: there may be thousands in a list. */
export function PrayerLink({ prayerId, entry = null, children, ...rest }: PrayerLinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    openPrayer(prayerId, entry)
  }
  return (
    <a {...rest} href={prayerPath(prayerId, entry)} onClick={follow}>
      {children}
    </a>
  )
}
