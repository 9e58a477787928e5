import { signUp } from '#tests/contract/auth/auth-client.ts'
import { type DataServer, send } from '#tests/support/data-requests.ts'
import { type Book, type Change, chooseChange, EMPTY_BOOK } from './book.ts'
import type { Chance } from './chance.ts'

/** States of a book: enough for some seconds of work, and little enough for hours of it. */
const REMEMBERED = 2_000

/** Somebody who changes one thing after another, and remembers what the server has said is done. */
export class PersonAtWork {
  /** Statuses of the requests that were not carried out; null for those that got no answer. */
  readonly refusals: (number | null)[] = []
  readonly #token: () => string
  readonly #chance: Chance
  #book: Book = EMPTY_BOOK
  /** The latest states of the book that were acknowledged, the present one last. */
  readonly #past: Book[] = [EMPTY_BOOK]
  #changes = 0
  /** Sent, and never acknowledged: it may have been carried out or not, but not in part. */
  #inDoubt: Change | null = null

  /** `token` gives the access token to use next. */
  constructor(token: () => string, chance: Chance) {
    this.#token = token
    this.#chance = chance
  }

  /** How many rows this person has to have. */
  countRows(): { categories: number; prayers: number } {
    return { categories: this.#book.categories.length, prayers: this.#book.prayers.length }
  }

  /** Changes things until a request is not acknowledged, or until `isOver`. */
  async work(server: DataServer, acknowledged: () => void, isOver: () => boolean): Promise<void> {
    while (this.#inDoubt === null && !isOver()) {
      const change = chooseChange(this.#book, this.#chance)
      const { method, path, body, after } = change
      const request = { method, token: this.#token(), body }
      const status = await send(server, path, request).then(
        (answer) => answer.status,
        () => null,
      )
      if (status !== null && status < 300) {
        this.#book = after
        this.#remember(after)
        acknowledged()
      } else {
        this.refusals.push(status)
        this.#inDoubt = change
      }
    }
  }

  /** Whether the server shows this person anything at all just now. */
  async isServed(server: DataServer): Promise<boolean> {
    const answer = await send(server, '/categories?select=id', { token: this.#token() }).catch(() => null)
    return answer?.status === 200
  }

  /**
   * What the server has, beside what it has to have: all that was acknowledged, and what is in doubt whole or not at
   * all. From then on nothing is in doubt.
   */
  async settle(server: DataServer): Promise<{ stored: unknown; promised: Book }> {
    const stored = await this.#read(server)
    const { after } = this.#inDoubt ?? { after: this.#book }
    if (JSON.stringify(stored) === JSON.stringify(after)) this.#book = after
    this.#inDoubt = null
    return { stored, promised: this.#book }
  }

  /** How many changes were acknowledged so far. */
  get changes(): number {
    return this.#changes
  }

  /** After how many changes everything was as the server has it; null when it was not lately. */
  async changesIn(server: DataServer): Promise<number | null> {
    const stored = JSON.stringify(await this.#read(server))
    const at = this.#past.findLastIndex((book) => JSON.stringify(book) === stored)
    return at === -1 ? null : this.#changes - (this.#past.length - 1 - at)
  }

  #remember(book: Book): void {
    this.#changes += 1
    this.#past.push(book)
    if (this.#past.length > REMEMBERED) this.#past.shift()
  }

  async #read(server: DataServer): Promise<unknown> {
    const token = this.#token()
    const [categories, prayers] = await Promise.all([
      send(server, '/categories?select=id,name,order&order=order', { token }),
      send(server, '/prayers?select=id,category_id,person_name,resolved&order=id', { token }),
    ])
    for (const { status, text } of [categories, prayers]) {
      if (status !== 200) throw new Error(`The lists could not be read: ${String(status)} ${text}`)
    }
    return { categories: categories.json(), prayers: prayers.json() }
  }
}

/** Signs somebody up who will be at work. */
export async function signUpPerson(server: DataServer, email: string, chance: Chance): Promise<PersonAtWork> {
  const { access_token: token } = await signUp(server, email)
  return new PersonAtWork(() => token, chance)
}
