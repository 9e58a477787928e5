/** Something in a class that can be taken out as a whole: a method, or a group of methods that is handed out. */
export interface Part {
  name: string
  start: number
  end: number
}

export interface Source {
  text: string
  parts: readonly Part[]
}

/**
 * The texts of the sources without the parts that can be reached neither from the given words nor from anything in
 * the sources that is no part. A part counts as reached when its name is mentioned at all, wherever it belongs: some
 * that are idle stay, but what is called is there.
 */
export function withoutUnreached(sources: readonly Source[], words: Iterable<string>): string[] {
  const unreached = new Set(sources.flatMap(({ text, parts }) => parts.map((part) => ({ part, text }))))
  const outside = sources.flatMap(({ text, parts }) => [...wordsIn(cut(text, parts))])
  const mentioned = [...new Set([...words, ...outside])]
  for (const word of mentioned) {
    for (const candidate of unreached) {
      const { part, text } = candidate
      if (part.name !== word) continue
      unreached.delete(candidate)
      mentioned.push(...wordsIn(text.slice(part.start, part.end)))
    }
  }
  const left = new Set([...unreached].map(({ part }) => part))
  return sources.map(({ text, parts }) =>
    cut(
      text,
      parts.filter((part) => left.has(part)),
    ),
  )
}

/** The source without the blocks that are entered on one of the conditions, or on it and more. */
export function withoutBlocks(source: string, conditions: readonly string[]): string {
  return conditions.reduce((rest, condition) => rest.replaceAll(blockOn(condition), ''), source)
}

/** An `if` without `else`, up to the brace that stands as far in as it does. */
function blockOn(condition: string): RegExp {
  const literally = condition.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(
    `^( *)if \\(${literally}(?: &&.*)?\\) \\{\\n(?:(?!\\1\\}).*\\n)*\\1\\}\\n(?!\\1else)`,
    'gm',
  )
}

/** What the code mentions; comments don't count. */
export function wordsIn(source: string): Set<string> {
  const code = source.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
  return new Set(code.match(/\w+/g))
}

function cut(source: string, parts: readonly Part[]): string {
  const ordered = parts.toSorted((a, b) => a.start - b.start)
  const ends = [0, ...ordered.map(({ end }) => end)]
  const starts = [...ordered.map(({ start }) => start), source.length]
  return ends.map((from, index) => source.slice(from, starts[index])).join('')
}
