const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/

/** Gives the address back. Throws when it leads to another machine: a bench is an attack there. */
export function requireLoopback(url: string): string {
  const { hostname } = new URL(url)
  if (!LOOPBACK.test(hostname)) throw new Error(`${url} is not on this machine; the bench goes nowhere else.`)
  return url
}

/** Throws when the environment asks for a database or an address that the bench would not use. */
export function refuseOtherMachines(env: NodeJS.ProcessEnv): void {
  const { DATABASE_URL: database = '', HOST: host = '' } = env
  if (database !== '') {
    throw new Error('DATABASE_URL is set; the bench fills a database of its own, so run it without.')
  }
  if (host !== '' && !LOOPBACK.test(host)) {
    throw new Error(`HOST is "${host}"; the bench listens on the loopback address only, so run it without.`)
  }
}
