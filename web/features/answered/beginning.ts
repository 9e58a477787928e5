const MAX_LENGTH = 480
const MAX_LINES = 8

/** The text, or its beginning if it is long: cut after a word, and marked with an ellipsis. */
export function beginningOf(text: string): string {
  const lines = text.split('\n', MAX_LINES).join('\n')
  const isLong = lines.length > MAX_LENGTH
  if (!isLong && lines.length === text.length) return text
  const cut = isLong ? lines.slice(0, MAX_LENGTH) : lines
  const words = isLong ? cut.replace(/\s+\S*$/u, '') : cut
  // Half of a character that has two code units.
  return `${words.replace(/[\uD800-\uDBFF]$/, '').trimEnd()}…`
}
