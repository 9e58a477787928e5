import { type ReactNode, useEffect } from 'react'
import { PRODUCT_NAME } from '#web/lib/config.ts'

interface OpenedProps {
  title: string
  /** Changes with every navigation that is to be told of. */
  place: string
  children: ReactNode
}

/** Says which screen is open: by the document's title, and on navigation by the focus on its heading. */
export function Opened({ title, place, children }: OpenedProps) {
  useEffect(() => {
    document.title = `${title} · ${PRODUCT_NAME}`
  }, [title])
  useEffect(arrive, [place])
  return children
}

let isFirst = true
let wentBack = false
addEventListener('popstate', () => {
  wentBack = true
})

/** The page that was opened leaves the focus where the browser puts it; on the way back the browser scrolls. */
function arrive(): void {
  if (isFirst) {
    isFirst = false
    return
  }
  const heading = document.querySelector<HTMLElement>('main h1')
  if (heading) heading.tabIndex = -1
  heading?.focus({ preventScroll: true })
  if (!wentBack) scrollTo({ top: 0, behavior: 'instant' })
  wentBack = false
}
