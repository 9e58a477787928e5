/** Values by token; the one longest unused makes room. Nothing is kept longer than the process lives. */
export class VerifiedTokenCache<Value> {
  readonly #entries = new Map<string, Value>()
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(token: string): Value | undefined {
    const value = this.#entries.get(token)
    if (value === undefined) return undefined
    // Set anew so that the map stays ordered by last use.
    this.#entries.delete(token)
    this.#entries.set(token, value)
    return value
  }

  set(token: string, value: Value): void {
    this.#entries.set(token, value)
    if (this.#entries.size <= this.#capacity) return
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }

  delete(token: string): void {
    this.#entries.delete(token)
  }
}
