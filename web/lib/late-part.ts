/** A part of the app that is fetched only when what it belongs to can be used already. */
export interface LatePart<Part> {
  /** The part, once it is here. */
  readonly arrived: Part | null
  /** Fetches it, once. Rejects when it did not arrive: a browser asks again only after the page was loaded again. */
  fetch: () => Promise<Part>
}

/** @param load asks the network for the part */
export function latePart<Part>(load: () => Promise<Part>): LatePart<Part> {
  let arrived: Part | null = null
  let arriving: Promise<Part> | null = null
  const fetch = async () => {
    arrived = await load()
    return arrived
  }
  return {
    get arrived() {
      return arrived
    },
    fetch: () => (arriving ??= fetch()),
  }
}
