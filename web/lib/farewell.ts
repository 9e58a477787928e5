let sentence: string | null = null

/** Keeps a last sentence for the sign-in screen, for somebody whose account has just been deleted. */
export function sayFarewell(words: string): void {
  sentence = words
}

/** The last sentence, if there is one to say. */
export function keptFarewell(): string | null {
  return sentence
}

/** Forgets it: somebody has come in. */
export function forgetFarewell(): void {
  sentence = null
}
