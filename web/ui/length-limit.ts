import { useState } from 'react'

/** The words for a full field, or null while there is room. */
export function limitMessage(length: number, maxLength: number | undefined): string | null {
  if (maxLength === undefined || length < maxLength) return null
  return `That is as long as it can be: ${maxLength.toLocaleString()} characters.`
}

/** Watches what is typed and speaks up when no more fits. */
export function useLengthLimit(maxLength: number | undefined) {
  const [length, setLength] = useState(0)
  return { message: limitMessage(length, maxLength), watch: (text: string) => setLength(text.length) }
}
