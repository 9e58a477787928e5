import type { FocusEvent, ReactNode } from 'react'
import { TEXT_LINK } from './link.tsx'

/**
 * Punctuation behind an address belongs to the sentence. It is left out here, because removing it by another expression, such as
 * `[.,]+$`, takes a time that grows with the square of the number of dots.
 */
const WEB_ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>"]*[^\s<>".,;:!?'’”)\]}…]/gi

/**
 * A text in which web addresses are links.
 *
 * @param onFocus called when one of them receives the focus
 */
export function withLinks(text: string, onFocus?: (event: FocusEvent<HTMLElement>) => void): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const { 0: address, index } of text.matchAll(WEB_ADDRESS)) {
    parts.push(
      text.slice(end, index),
      <a
        key={index}
        href={address.toLowerCase().startsWith('www.') ? `https://${address}` : address}
        target="_blank"
        rel="noreferrer"
        className={TEXT_LINK}
        onFocus={onFocus}
      >
        {address}
      </a>,
    )
    end = index + address.length
  }
  return [...parts, text.slice(end)]
}
