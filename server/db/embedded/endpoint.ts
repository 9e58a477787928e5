import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../free-port.ts'
import { makePrivateFolder } from '../private-folder.ts'

/**
 * Where PostgreSQL listens: a unix socket in a folder that only we may enter, or, where there are none (Windows), a
 * port of the loopback address, with a password.
 */
export type Endpoint =
  | { kind: 'socket'; folder: string; temporary: boolean }
  | { kind: 'loopback'; port: number; password: string; passwordFile: string }

const SOCKET_PORT = 5432
/** Bytes of a socket's path that every system accepts (`sun_path` of macOS, less its end). */
const SOCKET_PATH_LIMIT = 103
const PASSWORD_BYTES = 32

/** A socket in the data folder; where its path would be too long, in a temporary one. */
export async function makeSocket(dataDir: string): Promise<Endpoint> {
  const usual = join(dataDir, 'socket')
  if (fits(usual)) {
    await makePrivateFolder(usual)
    await chmod(usual, 0o700)
    return { kind: 'socket', folder: usual, temporary: false }
  }
  const parent = fits(join(tmpdir(), 'intercede-123456')) ? tmpdir() : '/tmp'
  return { kind: 'socket', folder: await mkdtemp(join(parent, 'intercede-')), temporary: true }
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${String(SOCKET_PORT)}`)) <= SOCKET_PATH_LIMIT
}

/** A free port, and the password that was made together with the database. */
export async function makeLoopback(dataDir: string): Promise<Endpoint> {
  const passwordFile = passwordFileIn(dataDir)
  const password = randomBytes(PASSWORD_BYTES).toString('base64url')
  // The first to write it wins; everybody then reads what is there.
  await writeFile(passwordFile, password, { flag: 'wx', mode: 0o600 }).catch(() => {})
  return {
    kind: 'loopback',
    port: await findFreePort('127.0.0.1'),
    password: await readFile(passwordFile, 'utf8'),
    passwordFile,
  }
}

/** Where the password lies that was made together with the database. */
export function passwordFileIn(dataDir: string): string {
  return join(dataDir, 'postgres-password')
}

/** The settings of PostgreSQL that make it listen there and nowhere else. */
export function endpointSettings(endpoint: Endpoint): Record<string, string> {
  return endpoint.kind === 'socket'
    ? {
        listen_addresses: '',
        port: String(SOCKET_PORT),
        unix_socket_directories: endpoint.folder,
        unix_socket_permissions: '0700',
      }
    : { listen_addresses: '127.0.0.1', port: String(endpoint.port), unix_socket_directories: '' }
}

/** URL of a database there. */
export function endpointUrl(endpoint: Endpoint, user: string, database: string): string {
  const url = new URL(`postgresql:///${database}`)
  url.searchParams.set('user', user)
  if (endpoint.kind === 'socket') url.searchParams.set('host', endpoint.folder)
  else {
    url.searchParams.set('host', '127.0.0.1')
    url.searchParams.set('port', String(endpoint.port))
    url.searchParams.set('password', endpoint.password)
  }
  return url.href
}

/** How initdb is to guard a database that is reached there. */
export function authenticationArguments(endpoint: Endpoint): string[] {
  return endpoint.kind === 'socket'
    ? ['--auth-local=trust', '--auth-host=reject']
    : ['--auth-local=reject', '--auth-host=scram-sha-256', `--pwfile=${endpoint.passwordFile}`]
}
