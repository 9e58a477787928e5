import type { FocusEvent, ReactNode } from 'react'
import { TEXT_LINK } from './link.tsx'

const WEB_ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>"]+/gi
/** Punctuation behind an address belongs to the sentence. */
const PUNCTUATION_AT_END = /[.,;:!?'’”)\]}…]+$/

/**
 * A text in which web addresses are links.
 *
 * @param onFocus called when one of them receives the focus
 */
export function withLinks(text: string, onFocus?: (event: FocusEvent<HTMLElement>) => void): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const { 0: match, index } of text.matchAll(WEB_ADDRESS)) {
    const address = match.replace(PUNCTUATION_AT_END, '')
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
