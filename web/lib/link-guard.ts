const STORAGE_KEY = 'intercede-leaving-for-x'
/** In milliseconds: as long as a backend waits for somebody to come back from X, and to find their password there. */
const PATIENCE = 15 * 60 * 1000
/** What backends call the links that they mail, and that sign somebody in. */
const MAILED: ReadonlySet<string> = new Set(['signup', 'invite', 'magiclink', 'email_change'])

/** Remembers, for a while, that somebody left for X from this browser, and is to be signed in on their return. */
export function keepLeavingForX(): void {
  localStorage.setItem(STORAGE_KEY, String(Date.now()))
}

/** Whether somebody lately left for X from this browser. Asked once: the next time nobody has. */
export function takeLeavingForX(): boolean {
  const left = localStorage.getItem(STORAGE_KEY)
  localStorage.removeItem(STORAGE_KEY)
  const age = Date.now() - Number(left)
  return left !== null && age >= 0 && age < PATIENCE
}

/**
 * Whether a session that an address brings along is to be left there. Anybody can put a session of their own into a link:
 * whoever opens it would write their prayers into that person's account. So it is taken only from who left for X here,
 * and from a mailed link as long as nobody is signed in.
 */
export function isUnaskedSession(hash: string, here: { leftForX: boolean; signedIn: boolean }): boolean {
  const parameters = new URLSearchParams(hash.slice(1))
  if (!parameters.has('access_token') || here.leftForX) return false
  return here.signedIn || !MAILED.has(parameters.get('type') ?? '')
}
