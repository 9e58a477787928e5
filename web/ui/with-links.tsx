import type { FocusEvent, ReactNode } from 'react'
import { TEXT_LINK } from './link.tsx'

/**
 * Punctuation behind an address belongs to the sentence, and so do invisible characters. They are left out here, because removing
 * them by another expression, such as `[.,]+$`, takes a time that grows with the square of their number.
 */
const WEB_ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>"]*[^\s<>".,;:!?'’”)\]}…\p{Cc}\p{Cf}]/giu
/** Characters without a shape, among them those that turn the direction of what follows. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu

/**
 * A text in which web addresses are links. No link looks as if it led to another site than the one that it opens.
 *
 * @param onFocus called when one of them receives the focus
 */
export function withLinks(text: string, onFocus?: (event: FocusEvent<HTMLElement>) => void): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const { 0: address, index } of text.matchAll(WEB_ADDRESS)) {
    const href = address.toLowerCase().startsWith('www.') ? `https://${address}` : address
    const host = hostOf(href)
    if (host === null) continue
    const shown = address.replace(INVISIBLE, (character) => encodeURIComponent(character))
    parts.push(
      text.slice(end, index),
      <a
        key={index}
        // Letters and marks of the other direction, also those before the link, must not bring its parts into another order.
        dir="ltr"
        href={href}
        target="_blank"
        rel="noreferrer"
        className={TEXT_LINK}
        onFocus={onFocus}
      >
        {host === typedHostOf(href) ? shown : `${host} (${shown})`}
      </a>,
    )
    end = index + address.length
  }
  return [...parts, text.slice(end)]
}

/** The host that opens, where letters outside of ASCII are encoded (`xn--…`); null if the address is invalid. */
function hostOf(href: string): string | null {
  try {
    return new URL(href).hostname
  } catch {
    return null
  }
}

/** What a reader takes for the host. With a user name, as in `https://bank.example@other.example`, it never is the one that opens. */
function typedHostOf(href: string): string {
  const [, , typed = ''] = href.split(/[/?#]/, 3)
  return typed.toLowerCase().replace(/:\d*$/, '')
}
