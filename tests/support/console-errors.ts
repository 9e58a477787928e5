import { format } from 'node:util'

const seen: string[] = []
const awaited: (string | RegExp)[] = []

/** Takes the place of `console.error` and `console.warn` while a test runs. */
export function recordConsoleError(...values: unknown[]): void {
  seen.push(format(...values))
}

/** Says that the test at hand makes the app write a message with this in it; it fails when none comes. */
export function expectConsoleError(containing: string | RegExp): void {
  awaited.push(containing)
}

/** What was written though nobody awaited it, and what was awaited and never came. Forgets both. */
export function takeConsoleSurprises(): string[] {
  const written = seen.splice(0)
  const wanted = awaited.splice(0)
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
