const NEWLINE = 0x0a

/** Rows in a piece of COPY's text format: a row is a line, for line breaks within a value are written as `\n`. */
export function countLines(text: Buffer): number {
  let lines = 0
  for (let at = text.indexOf(NEWLINE); at !== -1; at = text.indexOf(NEWLINE, at + 1)) lines += 1
  return lines
}
