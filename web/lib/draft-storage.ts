const PREFIX = 'intercede-draft:'

let owner = ''

/**
 * Says whose words are kept from now on; those of anybody else are gone.
 *
 * @param userId null when nobody is signed in
 */
export function draftsBelongTo(userId: string | null): void {
  owner = userId ?? ''
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX) && (userId === null || !key.startsWith(keyOf('')))) {
      sessionStorage.removeItem(key)
    }
  }
}

/** What was kept under the name, in whatever shape it then had; undefined if nothing was. */
export function readDraft(name: string): unknown {
  const text = sessionStorage.getItem(keyOf(name))
  return text === null ? undefined : JSON.parse(text)
}

/** Keeps it in this tab: over a reload, and when the system puts the browser to sleep and starts it again. */
export function keepDraft(name: string, draft: unknown): void {
  sessionStorage.setItem(keyOf(name), JSON.stringify(draft))
}

export function forgetDraft(name: string): void {
  sessionStorage.removeItem(keyOf(name))
}

function keyOf(name: string): string {
  return `${PREFIX}${owner}:${name}`
}
