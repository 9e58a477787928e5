import { format } from 'node:util'

const seen: string[] = []
const expected: (string | RegExp)[] = []

/** Takes the place of `console.error` and `console.warn` while a test runs. */
export function recordConsoleError(...values: unknown[]): void {
  seen.push(format(...values))
}

/** Announces a console message that contains this text. The test fails if there is no such message. */
export function expectConsoleError(containing: string | RegExp): void {
  expected.push(containing)
}

/** Unexpected messages, and expected ones that were not written. Clears both lists. */
export function takeConsoleFailures(): string[] {
  const written = seen.splice(0)
  const wanted = expected.splice(0)
  return [
    ...written.filter((text) => !wanted.some((pattern) => matches(text, pattern))),
    ...wanted
      .filter((pattern) => !written.some((text) => matches(text, pattern)))
      .map((pattern) => `(never written: ${String(pattern)})`),
  ]
}

function matches(text: string, pattern: string | RegExp): boolean {
  return typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text)
}
