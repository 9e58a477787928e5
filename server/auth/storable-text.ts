/** PostgreSQL stores neither NUL nor half a surrogate pair. */
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

export function isStorableText(text: string): boolean {
  return text.search(UNSTORABLE) === -1
}

/** The text without what can't be stored. */
export function withoutUnstorable(text: string): string {
  return text.replace(UNSTORABLE, '')
}
