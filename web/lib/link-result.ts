/**
 * What a link from a mail, or the way back from another service, brought along in the address:
 * a permission to set a new password, a failure to speak of, or nothing of interest.
 */
export type LinkResult =
  | { kind: 'none' }
  | { kind: 'recovery'; accessToken: string | null; refreshToken: string | null }
  | { kind: 'failure'; code: string | null; description: string }

/**
 * Reads hash and query of an address. The hash may carry tokens, so whoever calls this takes it off the address.
 * Where both speak, a failure comes first and the query before the hash, as in the auth library.
 */
export function readLinkResult(address: { hash: string; search: string }): LinkResult {
  const hash = new URLSearchParams(address.hash.slice(1))
  const query = new URLSearchParams(address.search)
  const either = (name: string) => query.get(name) ?? hash.get(name)
  const description = either('error_description') ?? either('error')
  if (description !== null) return { kind: 'failure', code: either('error_code'), description }
  if (!isRecovery(address.hash, hash)) return { kind: 'none' }
  return {
    kind: 'recovery',
    accessToken: hash.get('access_token'),
    refreshToken: hash.get('refresh_token'),
  }
}

function isRecovery(text: string, hash: URLSearchParams): boolean {
  return hash.get('type') === 'recovery' || text === '#recovery' || hash.has('recovery')
}
