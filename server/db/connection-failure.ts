/**
 * Why no connection to a database was made, without an end mark. Where a name has several addresses, Node.js tries each
 * and gives all their errors at once, without a message.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
